// The first administrator: of the configuration, or made with a one-time password where the embedded database has
// nobody.
import type { Logger } from 'pino'
import { randomToken } from '#kernel/keys/secrets.ts'
import { createAdministrator } from '#areas/auth/create-administrator.ts'
import { passwordProblem } from '#areas/auth/passwords.ts'
import { users } from '#areas/auth/users.ts'
import type { Config } from '#config/config.ts'
import { StartupError } from '../postgres/startup-error.ts'
import type { Service } from './compose.ts'
import type { Administrator } from './console.ts'
import { commandOrigin } from './origin.ts'

/** Before anything is made: the password of the configuration, as any other. */
export function assertAdministratorPassword({ admin }: Config): void {
  const problem = admin?.password ? passwordProblem(admin.password) : null
  if (problem)
    throw new StartupError(`ADMIN_PASSWORD is ${problem.replace('_', ' ')}: 8 to 128 characters, none of the commonest`)
}

export async function makeAdministrator(service: Service, config: Config, log: Logger): Promise<Administrator | null> {
  const oneTime = (await isForTheFirst(service, config))
    ? { email: 'admin@titular.example', password: randomToken(12) }
    : null
  const { email, password } = config.admin ?? oneTime ?? { email: null, password: null }
  if (email === null) return null
  if (password === null) {
    await warnIfUnknown(service, email, log)
    return null
  }
  const hash = await service.ports.passwords.hash(password)
  const isMade = await service.transactions.asSystem('the first administrator', commandOrigin(service), (ctx) =>
    createAdministrator(ctx, email, hash),
  )
  return isMade ? { email, password: config.admin ? null : password } : null
}

/** Not by whether this start made the database: `migrate` may have, or a start that was interrupted. */
async function isForTheFirst({ transactions }: Service, { sandbox, database }: Config): Promise<boolean> {
  return sandbox && database.url === null && (await transactions.read(null, users.anybody())).length === 0
}

/**
 * The password is taken out of the environment once they are made. They may have another address by now: no reason to
 * stop.
 */
async function warnIfUnknown(service: Service, email: string, log: Logger): Promise<void> {
  const [known] = await service.transactions.read(null, users.byEmail(email))
  if (!known) log.warn(`ADMIN_EMAIL: nobody has the address ${email}; set ADMIN_PASSWORD once to make them`)
}
