// The commands `audit verify`, `audit checkpoint` and `audit remove-old`: whether the audit logs are as they were
// written, and the removal of their old entries (docs/operations.md).
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { AuditConfig } from '#config/config.ts'
import { readHeads, signHeads } from '../audit/checkpoints.ts'
import { newEd25519Key } from '#kernel/keys/ed25519-keys.ts'
import { readOrCreateKeyFile } from './signing-key-file.ts'
import { splitPems } from '#kernel/keys/signing-keys.ts'
import { findEmbedded } from '../postgres/embedded.ts'
import { StartupError } from '../postgres/startup-error.ts'
import { beginAnew, type Beginning, type ChainHead, endRemoval } from '../audit/audit-beginning.ts'
import { type Problem, type Verification, verifyAudit } from '../audit/verify-audit.ts'
import { type FileVerification, verifyAuditFile } from '../audit/sealed-file.ts'
import type { Console } from './console.ts'
import { openPostgres } from './databases.ts'

type Options = { config: AuditConfig; console: Console }
type VerifyOptions = Options & {
  checkpointFile: string | undefined
  keyFile: string | undefined
  /** Takes the result as JSON instead of lines in the log. */
  print: ((json: string) => void) | null
}

const Heads = Type.Array(
  Type.Object({
    organization_id: Type.Union([Type.Integer(), Type.Null()]),
    entries: Type.Integer(),
    last_id: Type.Integer(),
    hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  }),
)
const Checkpoint = Type.Object({ made_at: Type.String(), chains: Heads })
const SignedBeginning = Type.Object({ made_at: Type.String(), removed_before: Type.String(), chains: Heads })

/** True when all fits. */
export async function verifyCommand({ config, console, ...options }: VerifyOptions): Promise<boolean> {
  const { print } = options
  const pems = pemsOf(config, options)
  const checkpoint = await headsOf(pems, options)
  const found = await withDatabase(config, console, (ownerUrl) =>
    verifyAudit({ ownerUrl, checkpoint, readBeginning: readerOf(pems) }),
  )
  const isWhole = found.problems.length === 0
  if (print) print(JSON.stringify({ ok: isWhole, ...summaryOf(found) }))
  else report(found, console)
  return isWhole
}

/** The same for an exported file, without the database. */
export async function verifyFileCommand({
  config,
  console,
  ...options
}: VerifyOptions & { file: string }): Promise<boolean> {
  const { print, file } = options
  const checkpoint = await headsOf(pemsOf(config, options), options)
  const { problems, ...counts } = await verifyAuditFile(file, checkpoint)
  const isWhole = problems.length === 0
  if (print) print(JSON.stringify({ ok: isWhole, ...counts, problems }))
  else {
    for (const problem of problems) console.log.error(sentenceOf(problem))
    for (const sentence of sentencesOf(counts)) console.log.info(sentence)
  }
  return isWhole
}

const sentencesOf = (counts: Omit<FileVerification, 'problems'>): string[] => [
  `${counts.chains} chains with ${counts.entries} entries were read; ${counts.unsealed} of these are ` +
    'too new to be sealed.',
  ...(counts.partial > 0 ? [`${counts.partial} of the chains begin behind their first entry.`] : []),
  ...(counts.withheld > 0 ? [`Of ${counts.withheld} entries the file does not have the text that was hashed.`] : []),
  ...(counts.unproven > 0 ? [`What it says of ${counts.unproven} of these nevertheless, nothing proves.`] : []),
  ...(counts.redacted > 0 ? [`From ${counts.redacted} of the entries a person was erased.`] : []),
  ...(counts.beyond > 0
    ? [`About ${counts.beyond} of the chains the checkpoint says nothing: the file does not have its entries.`]
    : []),
]

/** True when the checkpoint was written, which it is only for logs that fit. */
export async function checkpointCommand({ config, console, file }: Options & { file: string }): Promise<boolean> {
  const pems = once(() => keysOf(config))
  const found = await withDatabase(config, console, (ownerUrl) =>
    verifyAudit({ ownerUrl, readBeginning: readerOf(pems) }),
  )
  report(found, console)
  if (found.problems.length > 0) return false
  const { keyId, jws } = await signHeads('checkpoint', await pems(), { made_at: found.made_at, chains: found.chains })
  // Never over an older one, which proves more than the newer one does.
  await writeFile(file, `${jws}\n`, { flag: 'wx' })
  console.log.info(`Wrote ${file}, signed with the key ${keyId}. Keep it where the service cannot write.`)
  return true
}

const DAY_MS = 86_400_000
type RemovalOptions = Options & { checkpointFile: string | undefined; isDryRun: boolean; now?: Date }

/** True unless the logs do not fit: then nothing is removed, since nobody could find out any more what was changed. */
export async function removeOldCommand({
  config,
  console,
  now = new Date(),
  ...options
}: RemovalOptions): Promise<boolean> {
  const { log } = console
  if (config.auditLogDays === null) {
    log.info('AUDIT_LOG_DAYS is not set: all entries are kept.')
    return true
  }
  const olderThan = new Date(now.getTime() - config.auditLogDays * DAY_MS)
  const pems = once(() => keysOf(config))
  const { isDryRun } = options
  const checkpoint = await headsOf(pems, options)
  return withDatabase(config, console, async (ownerUrl) => {
    const readBeginning = readerOf(pems)
    if (!isDryRun) await endRemoval(ownerUrl, readBeginning)
    const found = await verifyAudit({ ownerUrl, checkpoint, readBeginning, olderThan })
    report(found, console)
    if (found.problems.length > 0) return false
    const [moved, kept] = divided(found.beginning?.chains ?? [], found.removable)
    const count = countOf(found.removable) - countOf(moved)
    log.info(`${count} entries are from before ${olderThan.toISOString()}${isDryRun ? ', and would be removed.' : '.'}`)
    if (isDryRun || found.removable.length === 0) return true
    const chains = [...kept, ...found.removable]
    // Not earlier than before, also when entries are kept for longer now.
    const removed_before = [found.removed_before ?? '', olderThan.toISOString()].toSorted().at(-1) ?? ''
    const beginning = { made_at: found.made_at, removed_before, chains }
    const { keyId, jws } = await signHeads('beginning', await pems(), beginning)
    await beginAnew({ ownerUrl, jws, beginning, replaces: found.beginning?.jws ?? null })
    log.info(`They are removed; where the logs begin now is signed with the key ${keyId}.`)
    return true
  })
}

/** The heads whose organizations others have too, and the rest. */
function divided(heads: readonly ChainHead[], others: readonly ChainHead[]): [ChainHead[], ChainHead[]] {
  const owners = new Set(others.map(({ organization_id: id }) => id))
  return [
    heads.filter(({ organization_id: id }) => owners.has(id)),
    heads.filter(({ organization_id: id }) => !owners.has(id)),
  ]
}
const countOf = (chains: readonly ChainHead[]): number => chains.reduce((sum, { entries }) => sum + entries, 0)

async function withDatabase<Result>(
  config: AuditConfig,
  { log }: Console,
  work: (ownerUrl: string) => Promise<Result>,
): Promise<Result> {
  const running = config.database.url === null ? await findEmbedded(config.dataDir) : undefined
  const postgres = running ? { ownerUrl: running, stop: async () => {} } : await openPostgres(config, log)
  try {
    return await work(postgres.ownerUrl)
  } finally {
    await postgres.stop()
  }
}

const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined
  return () => (made ??= make())
}

const readerOf =
  (pems: () => Promise<string[]>) =>
  async (jws: string): Promise<Beginning | null> => {
    const content = await readHeads('beginning', await pems(), jws)
    return Value.Check(SignedBeginning, content) ? content : null
  }

const keysOf = ({ auditSigningKey, dataDir }: AuditConfig): Promise<string[]> =>
  auditSigningKey === null
    ? readOrCreateKeyFile(join(dataDir, 'audit-signing-keys.pem'), newEd25519Key)
    : Promise.resolve(splitPems(auditSigningKey))

type Pems = () => Promise<string[]>

const pemsOf = (config: AuditConfig, { keyFile }: Pick<VerifyOptions, 'keyFile'>): Pems =>
  once(async () => (keyFile === undefined ? keysOf(config) : splitPems(await readFile(keyFile, 'utf8'))))

const headsOf = async (pems: Pems, { checkpointFile: file }: Pick<VerifyOptions, 'checkpointFile'>) =>
  file === undefined ? [] : checkpointIn(file, await pems())

async function checkpointIn(file: string, pems: readonly string[]): Promise<ChainHead[]> {
  const content = await readHeads('checkpoint', pems, (await readFile(file, 'utf8')).trim())
  if (!Value.Check(Checkpoint, content))
    throw new StartupError(`${file} is no checkpoint that one of the given keys has signed`)
  return content.chains
}

const summaryOf = ({ beginning, made_at, chains, unsealed, redacted, removed, ...rest }: Verification) => ({
  made_at,
  chains: chains.length,
  entries: countOf(chains) - countOf(divided(beginning?.chains ?? [], chains)[0]),
  unsealed,
  redacted,
  removed,
  removed_before: rest.removed_before,
  problems: rest.problems,
})

function report(found: Verification, { log }: Console): void {
  const { chains, entries, unsealed, redacted } = summaryOf(found)
  for (const problem of found.problems) log.error(sentenceOf(problem))
  log.info(`${chains} chains with ${entries} entries fit; ${unsealed} entries are too new to be sealed.`)
  if (found.removed > 0)
    log.info(
      `The logs begin at a signed checkpoint: ${found.removed} entries from before ` +
        `${found.removed_before} were removed.`,
    )
  if (redacted > 0) log.info(`From ${redacted} of the entries a person was erased.`)
}

const FINDINGS: Record<Problem['finding'], string> = {
  removed: 'was removed',
  added: 'was added behind the others',
  changed: 'was changed, or others before it were removed with their seals',
  rewritten: 'or one before it was changed, and sealed anew, after the checkpoint',
  cut: 'was removed with its seal after the checkpoint',
  unsigned: '',
}

function sentenceOf({ organization_id: owner, entry_id: id, finding }: Problem): string {
  if (finding === 'unsigned') return 'Where the logs begin was signed by none of the given keys.'
  return `${owner === null ? 'The service’s log' : `Organization ${owner}`}: entry ${id} ${FINDINGS[finding]}.`
}
