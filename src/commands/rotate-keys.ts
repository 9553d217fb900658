// The command `rotate-keys`: puts a new signing key in front of those under DATA_DIR.
import type { Config } from '#config/config.ts'
import { rotateKeyFile } from './signing-key-file.ts'
import { StartupError } from '../postgres/startup-error.ts'
import type { Console } from './console.ts'
import { signingKeyPath } from './secrets.ts'

export async function rotateKeys({ config, console: { log } }: { config: Config; console: Console }): Promise<void> {
  if (config.jwtPrivateKey !== null)
    throw new StartupError(
      'JWT_PRIVATE_KEY holds the keys: put the new one behind the others, restart, then move it to the front',
    )
  const pems = await rotateKeyFile(signingKeyPath(config))
  log.info(`A new key signs; ${pems.length} are published. Restart the service to use it.`)
}
