// Creates the first administrator: from ADMIN_EMAIL, or with a one-time password where the embedded database has no
// user.
import type { Logger } from 'pino'
import { randomToken } from '#kernel/keys/secrets.ts'
import { createAdministrator } from '#modules/identity/auth/create-administrator.ts'
import { passwordProblem } from '#modules/identity/auth/passwords/passwords.ts'
import { users } from '#modules/identity/auth/users.ts'
import type { Config } from '#config/config.ts'
import { StartupError } from '../postgres/startup-error.ts'
import type { Service } from './compose.ts'
import type { Administrator } from './console.ts'

/** Checks ADMIN_PASSWORD by the rules for all passwords, before a database is created or changed. */
export function assertAdministratorPassword({ admin }: Config): void {
  const problem = admin?.password ? passwordProblem(admin.password) : null
  if (problem)
    throw new StartupError(`ADMIN_PASSWORD is ${problem.replace('_', ' ')}: 8 to 128 characters, none of the commonest`)
}

export async function createFirstAdministrator(
  service: Service,
  config: Config,
  log: Logger,
): Promise<Administrator | null> {
  const oneTime = (await needsOneTimePassword(service, config))
    ? { email: 'admin@titular.example', password: randomToken(12) }
    : null
  const { email, password } = config.admin ?? oneTime ?? { email: null, password: null }
  if (email === null) return null
  if (password === null) {
    await warnIfUnknown(service, email, log)
    return null
  }
  const hash = await service.ports.passwords.hash(password)
  const isCreated = await service.transactions.asSystem('the first administrator', service.origin(), (ctx) =>
    createAdministrator(ctx, email, hash),
  )
  return isCreated ? { email, password: config.admin ? null : password } : null
}

/** Asks for users, since `migrate` or an interrupted start may have created the database before. */
async function needsOneTimePassword({ transactions }: Service, { sandbox, database }: Config): Promise<boolean> {
  return sandbox && database.url === null && (await transactions.read(null, users.anybody())).length === 0
}

/**
 * ADMIN_PASSWORD is removed once the account exists, and its address may have changed since: a warning, not an error.
 */
async function warnIfUnknown(service: Service, email: string, log: Logger): Promise<void> {
  const [known] = await service.transactions.read(null, users.byEmail(email))
  if (!known) log.warn(`ADMIN_EMAIL: nobody has the address ${email}; set ADMIN_PASSWORD once to make them`)
}
