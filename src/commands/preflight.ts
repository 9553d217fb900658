// Checks before a database is created or changed: one line for each wrong setting.
import { access, constants, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#config/config.ts'
import { StartupError } from '../postgres/startup-error.ts'
import { loadHooks } from '#http/server/hooks.ts'
import { MAIL } from '#config/mail.ts'
import { WrongSettings } from '#config/problems.ts'
import type { VariableName } from '#config/variables.ts'
import { missingPackages } from './missing-packages.ts'
import { assertGivenKeys } from './secrets.ts'

export async function preflight(config: Config): Promise<void> {
  const checks = [packages, dataDirectory, administrator, assertGivenKeys, hooks, mail, taxAuthority]
  const lines = await Promise.all(checks.map((check) => check(config).then(() => [], linesOf)))
  if (lines.flat().length > 0) throw new StartupError(lines.flat().join('\n'))
}

/** Unexpected errors are thrown with their stack. */
function linesOf(error: unknown): string[] {
  if (error instanceof StartupError || error instanceof WrongSettings) return error.message.split('\n')
  throw error
}

/** Turns an error into a line that begins with the setting. */
async function named<T>(setting: VariableName, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split('\n', 1)[0] ?? '') : String(cause)
    throw new StartupError(`${setting}: ${reason}`, { cause })
  }
}

async function packages(): Promise<void> {
  const missing = await missingPackages(join(import.meta.dirname, '../../package.json'))
  if (missing.length > 0) throw new StartupError(`Packages are not installed: ${missing.join(', ')}. Run npm ci.`)
}

async function dataDirectory({ dataDir, sandbox, fileStore }: Config): Promise<void> {
  if (!sandbox && fileStore.kind !== 'local') return
  await named('DATA_DIR', async () => {
    await mkdir(dataDir, { recursive: true })
    await access(dataDir, constants.W_OK)
  })
}

async function administrator(config: Config): Promise<void> {
  if (!config.admin?.password) return
  const { assertAdministratorPassword } = await import('./administrator.ts')
  assertAdministratorPassword(config)
}

async function hooks({ hooks: path }: Config): Promise<void> {
  if (path !== null) await named('HOOKS', () => loadHooks(path))
}

/** Signs in to the mail server, since wrong mail settings would be noticed only with the first mail. */
async function mail({ mail: choice }: Config): Promise<void> {
  const { kind, from } = choice
  if (kind === 'sandbox' && from === MAIL.from.sandboxFallback) return
  const [{ createSmtp }, { readMailbox }] = await Promise.all([
    import('../adapters/smtp/smtp.ts'),
    import('../adapters/smtp/message.ts'),
  ])
  await named('MAIL_FROM', () => readMailbox(from))
  if (choice.kind === 'sandbox') return
  const smtp = await named('SMTP_URL', () => createSmtp({ url: choice.url, from, timeoutMs: 5000 }))
  if (choice.isChecked) await named('SMTP_URL', () => smtp.check())
}

async function taxAuthority(config: Config): Promise<void> {
  if (config.tax.authority !== 'nfse') return
  const { taxAuthorityOf } = await import('./tax-authority.ts')
  await taxAuthorityOf({ config }, null)
}
