// What a start can find wrong by itself, before a database is made or changed: a line for each thing, by its setting's name.
import { access, constants, mkdir } from 'node:fs/promises'
import type { Config } from '#config/config.ts'
import { StartupError } from '../postgres/startup-error.ts'
import { loadHooks } from '../server/hooks.ts'
import { MAIL } from '#config/mail.ts'
import { WrongSettings } from '#config/problems.ts'
import type { VariableName } from '#config/variables.ts'
import { assertGivenKeys } from './secrets.ts'

export async function preflight(config: Config): Promise<void> {
  const checks = [dataDirectory, administrator, assertGivenKeys, hooks, mail, taxAuthority]
  const lines = await Promise.all(checks.map((check) => check(config).then(() => [], linesOf)))
  if (lines.flat().length > 0) throw new StartupError(lines.flat().join('\n'))
}

/** What nobody foresaw keeps its stack. */
function linesOf(error: unknown): string[] {
  if (error instanceof StartupError || error instanceof WrongSettings) return error.message.split('\n')
  throw error
}

/** Runs it; what it throws becomes a line that begins with the setting. */
async function named<T>(setting: VariableName, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split('\n', 1)[0] ?? '') : String(cause)
    throw new StartupError(`${setting}: ${reason}`, { cause })
  }
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

/** Mail that nobody takes is noticed late: the start signs in to the server and leaves again. */
async function mail({ mail: choice }: Config): Promise<void> {
  const { kind, from } = choice
  if (kind === 'sandbox' && from === MAIL.from.fallback) return
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
