// The first administrator: of the configuration, or made with a one-time password on a fresh embedded database.
import { randomToken } from '#kernel/secrets.ts'
import { createAdministrator } from '#areas/auth/administrators.ts'
import { passwordProblem } from '#areas/auth/passwords.ts'
import type { Config } from '../config.ts'
import { StartupError } from '../postgres/startup-error.ts'
import type { Service } from './compose.ts'
import type { Administrator } from './console.ts'
import { commandOrigin } from './origin.ts'

export async function makeAdministrator(
  service: Service,
  config: Config,
  isNew: boolean,
): Promise<Administrator | null> {
  const wanted =
    config.admin ?? (isNew && config.sandbox ? { email: 'admin@titular.example', password: randomToken(12) } : null)
  if (!wanted) return null
  const problem = passwordProblem(wanted.password)
  if (problem)
    throw new StartupError(`ADMIN_PASSWORD is ${problem.replace('_', ' ')}: 8 to 128 characters, none of the commonest`)
  const hash = await service.ports.passwords.hash(wanted.password)
  const isMade = await service.work.asSystem('the first administrator', commandOrigin(service), (ctx) =>
    createAdministrator(ctx, wanted.email, hash),
  )
  return isMade ? { email: wanted.email, password: config.admin ? null : wanted.password } : null
}
