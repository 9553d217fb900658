// The command `audit verify --file`: whether an exported audit log fits, by the file alone
// (docs/interface/operations.md).
import { AUDIT_LOGS, CHAIN_START, nextHash } from '#modules/operations/audit-log/audit-chain.ts'
import type { TableRow } from '#modules/operations/exports/table-file.ts'
import type { ChainHead } from './audit-beginning.ts'
import type { Problem } from './verify-audit.ts'
import { type SealedLine, sealedLines, type Seals } from './sealed-lines.ts'

/**
 * `partial`: chains of which the file does not have the beginning; `withheld`: entries of which it does not have the
 * text that was hashed; `unproven`: those of them of which something can be read; `beyond`: chains whose end in the
 * checkpoint the file does not have, so that the checkpoint says nothing about them.
 */
export type FileVerification = {
  chains: number
  entries: number
  partial: number
  unsealed: number
  redacted: number
  withheld: number
  unproven: number
  beyond: number
  problems: Problem[]
}

type Walk = {
  owner: number | null
  previous: string | null
  unsealed: number | null
  isBroken: boolean
  /** The end in the checkpoint, until the walk has passed it. */
  expected: ChainHead | null
}

export async function verifyAuditFile(file: string, checkpoint: readonly ChainHead[]): Promise<FileVerification> {
  const counts = { chains: 0, entries: 0, partial: 0, unsealed: 0, redacted: 0, withheld: 0, unproven: 0, beyond: 0 }
  const found: FileVerification = { ...counts, problems: [] }
  const heads = new Map(checkpoint.map((head) => [head.organization_id, head]))
  // A chain goes on where it was left, so that no entry is lost between two parts of it.
  const walks = new Map<number | null, Walk>()
  for await (const line of sealedLines(file)) {
    const { organization_id: owner } = line.entry
    const walk = walks.get(owner) ?? begin(found, line.entry, heads.get(owner) ?? null)
    walks.set(owner, walk)
    if (!walk.isBroken) follow(found, walk, line)
  }
  for (const { expected } of walks.values()) if (expected) found.beyond++
  return found
}

function begin(found: FileVerification, first: Seals, expected: ChainHead | null): Walk {
  const { organization_id: owner, previous_hash: previous, id } = first
  const isPartial = previous !== null && previous !== CHAIN_START
  const isBehind = isPartial && expected !== null && id > expected.last_id
  found.chains++
  if (isPartial) found.partial++
  // Unless the file goes on where the checkpoint ends.
  if (isBehind && previous !== expected.hash) found.beyond++
  return { owner, previous, unsealed: null, isBroken: false, expected: isBehind ? null : expected }
}

/** Whether the entries behind the first one that does not fit do, nobody can say. */
function follow(found: FileVerification, walk: Walk, line: SealedLine): void {
  const { id, hash, hashed, redacted_hash: left } = line.entry
  const { expected } = walk
  const broken = (finding: Problem['finding'], entry_id: number) => {
    Object.assign(walk, { isBroken: true, expected: null })
    found.problems.push({ organization_id: walk.owner, entry_id, finding })
  }
  found.entries++
  if (hash === null) {
    walk.unsealed ??= id
    found.unsealed++
    return
  }
  if (walk.unsealed !== null) return broken('added', walk.unsealed)
  if (!fits(line, walk.previous)) return broken('changed', id)
  if (expected && id > expected.last_id) return broken('cut', expected.last_id)
  if (expected?.last_id === id && expected.hash !== hash) return broken('rewritten', id)
  if (expected?.last_id === id) walk.expected = null
  walk.previous = hash
  if (hashed === null) found.withheld++
  if (hashed === null && isReadable(line)) found.unproven++
  if (left !== null) found.redacted++
}

/** By the hashes, and what is there to be read by what was hashed. */
function fits({ entry, text, written }: SealedLine, previous: string | null): boolean {
  const { hashed, previous_hash, hash, redacted_hash: left } = entry
  if (previous_hash === null || previous_hash !== previous || hash === null) return false
  if (hashed === null) return true
  if (left === null ? nextHash(previous_hash, hashed) !== hash : nextHash(hash, hashed) !== left) return false
  const row = rowOf(hashed)
  return row !== null && written({ ...row, hashed, previous_hash, hash, redacted_hash: left }) === text
}

/** Whether the line has more than ids and hashes. */
const isReadable = ({
  entry: { organization_id, id, previous_hash, hash, redacted_hash },
  text,
  written,
}: SealedLine) => written({ organization_id, id, previous_hash, hash, redacted_hash }) !== text

/** Null for what is none of ours. */
function rowOf(hashed: string): TableRow | null {
  const [, name, ...values] = listIn(hashed)
  const log = AUDIT_LOGS.find((one) => one.name === name)
  if (log?.hashed.length !== values.length) return null
  const row: TableRow = Object.fromEntries(log.hashed.map((column, index) => [column, values[index]]))
  // The answers have milliseconds, without rounding.
  return { organization_id: null, ...row, at: String(row['at']).replace(/(\.\d{3})\d*Z$/, '$1Z') }
}

function listIn(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
