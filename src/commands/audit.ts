// The commands `audit verify` and `audit checkpoint`: whether the audit logs are as they were written (docs/operations.md).
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { AuditConfig } from '#config/config.ts'
import { readCheckpoint, signCheckpoint } from '#kernel/keys/audit-checkpoints.ts'
import { newEd25519Key } from '#kernel/keys/ed25519-keys.ts'
import { readOrCreateKeyFile } from '#kernel/keys/signing-key-file.ts'
import { splitPems } from '#kernel/keys/signing-keys.ts'
import { findEmbedded } from '../postgres/embedded.ts'
import { StartupError } from '../postgres/startup-error.ts'
import { type ChainHead, type Problem, type Verification, verifyAudit } from '../postgres/verify-audit.ts'
import { type FileVerification, verifyAuditFile } from './audit-file.ts'
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

/** True when all fits. */
export async function verifyCommand({ config, console, ...options }: VerifyOptions): Promise<boolean> {
  const { print } = options
  const found = await verified(config, console, await headsOf(config, options))
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
  const checkpoint = await headsOf(config, options)
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
  `${counts.chains} chains with ${counts.entries} entries were read; ${counts.unsealed} of these are too new to be sealed.`,
  ...(counts.partial > 0 ? [`${counts.partial} of the chains begin behind their first entry.`] : []),
  ...(counts.withheld > 0 ? [`Of ${counts.withheld} entries the file has the hashes only.`] : []),
  ...(counts.redacted > 0 ? [`From ${counts.redacted} of the entries a person was erased.`] : []),
  ...(counts.beyond > 0
    ? [`About ${counts.beyond} of the chains the checkpoint says nothing: the file does not have its entries.`]
    : []),
]

/** True when the checkpoint was written, which it is only for logs that fit. */
export async function checkpointCommand({ config, console, file }: Options & { file: string }): Promise<boolean> {
  const found = await verified(config, console)
  report(found, console)
  if (found.problems.length > 0) return false
  const { keyId, jws } = await signCheckpoint(await keysOf(config), { made_at: found.made_at, chains: found.chains })
  // Never over an older one, which proves more than the newer one does.
  await writeFile(file, `${jws}\n`, { flag: 'wx' })
  console.log.info(`Wrote ${file}, signed with the key ${keyId}. Keep it where the service cannot write.`)
  return true
}

async function verified(config: AuditConfig, { log }: Console, checkpoint: readonly ChainHead[] = []) {
  const running = config.database.url === null ? await findEmbedded(config.dataDir) : undefined
  const postgres = running ? { ownerUrl: running, stop: async () => {} } : await openPostgres(config, log)
  try {
    return await verifyAudit({ ownerUrl: postgres.ownerUrl, checkpoint })
  } finally {
    await postgres.stop()
  }
}

const keysOf = ({ auditSigningKey, dataDir }: AuditConfig): Promise<string[]> =>
  auditSigningKey === null
    ? readOrCreateKeyFile(join(dataDir, 'audit-signing-keys.pem'), newEd25519Key)
    : Promise.resolve(splitPems(auditSigningKey))

type Checked = Pick<VerifyOptions, 'checkpointFile' | 'keyFile'>

async function headsOf(config: AuditConfig, { checkpointFile, keyFile }: Checked): Promise<ChainHead[]> {
  if (checkpointFile === undefined) return []
  const pems = keyFile === undefined ? await keysOf(config) : splitPems(await readFile(keyFile, 'utf8'))
  return checkpointIn(checkpointFile, pems)
}

async function checkpointIn(file: string, pems: readonly string[]): Promise<ChainHead[]> {
  const content = await readCheckpoint(pems, (await readFile(file, 'utf8')).trim())
  if (!Value.Check(Checkpoint, content))
    throw new StartupError(`${file} is no checkpoint that one of the given keys has signed`)
  return content.chains
}

const summaryOf = ({ made_at, chains, unsealed, redacted, problems }: Verification) => ({
  made_at,
  chains: chains.length,
  entries: chains.reduce((sum, { entries }) => sum + entries, 0),
  unsealed,
  redacted,
  problems,
})

function report(found: Verification, { log }: Console): void {
  const { chains, entries, unsealed, redacted } = summaryOf(found)
  for (const problem of found.problems) log.error(sentenceOf(problem))
  log.info(`${chains} chains with ${entries} entries fit; ${unsealed} entries are too new to be sealed.`)
  if (redacted > 0) log.info(`From ${redacted} of the entries a person was erased.`)
}

const FINDINGS: Record<Problem['finding'], string> = {
  removed: 'was removed',
  added: 'was added behind the others',
  changed: 'was changed, or others before it were removed with their seals',
  rewritten: 'or one before it was changed, and sealed anew, after the checkpoint',
  cut: 'was removed with its seal after the checkpoint',
}

function sentenceOf({ organization_id: owner, entry_id: id, finding }: Problem): string {
  return `${owner === null ? 'The service’s log' : `Organization ${owner}`}: entry ${id} ${FINDINGS[finding]}.`
}
