// The command line.
import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { createConsole } from './console.ts'
import { type DatabaseConfig, readAuditConfig, readConfig, readDatabaseConfig } from '#config/config.ts'
import { StartupError } from '../postgres/startup-error.ts'
import { WrongSettings } from '#config/problems.ts'

type VerifyFlags = { checkpoint?: string; key?: string; file?: string; json?: boolean }

const program = new Command('titular').description('B2B account management over REST').showHelpAfterError()

function command(name: string, description: string): Command {
  return program.command(name).description(description)
}

const printLine = (line: string): void => void process.stdout.write(`${line}\n`)
// `titular doctor | head` reads no further.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') process.exitCode = 1
})

function start<Read extends DatabaseConfig>(read: (environment: NodeJS.ProcessEnv) => Read) {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const config = read(process.env)
  return { config, console: createConsole(config.logLevel) }
}

program.action(async () => (await import('./serve.ts')).serve({ ...start(readConfig), withJobs: true, withApi: true }))
command('serve', 'the API and the pages; with the jobs unless --no-jobs')
  .option('--no-jobs', 'leave the jobs to "work" processes')
  .action(async ({ jobs }: { jobs: boolean }) =>
    (await import('./serve.ts')).serve({ ...start(readConfig), withJobs: jobs, withApi: true }),
  )
command('work', 'only the jobs').action(async () =>
  (await import('./serve.ts')).serve({ ...start(readConfig), withJobs: true, withApi: false }),
)
command('migrate', 'bring the database to this version and stop')
  .option('--distribute', 'spread the tables of organizations over the nodes of a Citus cluster')
  .action(async ({ distribute = false }: { distribute?: boolean }) =>
    (await import('./migrate.ts')).migrateCommand({ ...start(readDatabaseConfig), distributes: distribute }),
  )
command('doctor', 'say which tables are where, and what to do about the database; exit code 1 if there is something')
  .option('--json', 'one JSON object')
  .action(async ({ json = false }: { json?: boolean }) => {
    const { config } = start(readDatabaseConfig)
    const options = { config, console: createConsole('silent'), isJson: json, print: printLine }
    if (!(await (await import('./cluster.ts')).doctorCommand(options))) process.exitCode = 1
  })
command('organizations', 'the organizations of a Citus cluster')
  .command('move')
  .description('move an organization to another node while it is used, with those that share its shard')
  .argument('<id>')
  .requiredOption('--to <host:port>', 'the node')
  .option('--alone', 'give it a shard to itself first')
  .action(async (id: string, { to, alone = false }: { to: string; alone?: boolean }) =>
    (await import('./cluster.ts')).moveCommand({ ...start(readDatabaseConfig), id, to, isAlone: alone }),
  )
command('demo', 'load the demo data').action(async () => (await import('./demo.ts')).demoCommand(start(readConfig)))
command('backup', 'write everything in the database to a file')
  .argument('<file>')
  .action(async (file: string) => (await import('./backup.ts')).backupCommand({ ...start(readDatabaseConfig), file }))
command('restore', 'load a backup into an empty database')
  .argument('<file>')
  .action(async (file: string) => (await import('./backup.ts')).restoreCommand({ ...start(readDatabaseConfig), file }))
command('backfill-crm', 'send all organizations and sent quotes to the CRM')
  .option('--all', 'compare those that are there already, too')
  .action(async ({ all = false }: { all?: boolean }) =>
    (await import('./crm-backfill.ts')).backfillCrm({ ...start(readConfig), all }),
  )
command('rotate-keys', 'sign access tokens with a new key; the old ones stay valid').action(async () =>
  (await import('./rotate-keys.ts')).rotateKeys(start(readConfig)),
)
const audit = command('audit', 'whether the audit logs are as they were written')
audit
  .command('verify')
  .description('name the first entry of each log that was changed, removed or added; exit code 1 if there is one')
  .option('--checkpoint <file>', 'what `audit checkpoint` wrote: nothing before it was changed or cut off')
  .option('--file <file>', 'an exported audit log (NDJSON or CSV), by itself: needs no database')
  .option('--key <file>', 'the public key (PEM) of the checkpoint, instead of AUDIT_SIGNING_KEY')
  .option('--json', 'one JSON object on standard output, and no log')
  .action(async ({ checkpoint, key, file, json = false }: VerifyFlags) => {
    const { config, console } = start(readAuditConfig)
    const { verifyCommand, verifyFileCommand } = await import('./audit.ts')
    const options = {
      config,
      console: json ? createConsole('silent') : console,
      checkpointFile: checkpoint,
      keyFile: key,
      print: json ? printLine : null,
    }
    const isWhole = await (file === undefined ? verifyCommand(options) : verifyFileCommand({ ...options, file }))
    if (!isWhole) process.exitCode = 1
  })
audit
  .command('checkpoint')
  .description('verify the audit logs, and write the signed ends of their chains to a new file')
  .argument('<file>')
  .action(async (file: string) => {
    if (!(await (await import('./audit.ts')).checkpointCommand({ ...start(readAuditConfig), file })))
      process.exitCode = 1
  })
audit
  .command('remove-old')
  .description('verify the audit logs, and remove entries older than AUDIT_LOG_DAYS; where they begin then is signed')
  .option('--checkpoint <file>', 'what `audit checkpoint` wrote: remove nothing unless it fits')
  .option('--dry-run', 'only say how many would be removed')
  .action(async ({ checkpoint, dryRun = false }: { checkpoint?: string; dryRun?: boolean }) => {
    const isWhole = await (
      await import('./audit.ts')
    ).removeOldCommand({ ...start(readAuditConfig), checkpointFile: checkpoint, isDryRun: dryRun })
    if (!isWhole) process.exitCode = 1
  })

try {
  await program.parseAsync()
} catch (error) {
  for (const line of linesOf(error)) process.stderr.write(`titular: ${line}\n`)
  process.exitCode = 1
}

/** What somebody can mend is said without a stack: settings, the database, files. The rest is a fault of ours. */
function linesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)]
  const isForeseen = error instanceof WrongSettings || error instanceof StartupError || 'syscall' in error
  return (isForeseen ? error.message : (error.stack ?? error.message)).split('\n')
}
