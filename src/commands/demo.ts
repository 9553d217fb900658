// The demo data.
import type { Config } from '../config.ts'
import type { Service } from './compose.ts'
import type { SignIn } from './console.ts'

export async function loadDemo(_service: Service, _config: Config): Promise<SignIn[]> {
  return []
}
