// Erases a person whose erasure is due, in steps that each may run again: first nobody can sign in, and what began
// before is over, then nothing belongs to the person any more and the copies of name and addresses go, last the
// account, by which the copies are found.
import { setTimeout as sleep } from 'node:timers/promises'
import { record } from '#modules/identity/auth/account-log.ts'
import { closeAccount, eraseAccount } from '#modules/identity/auth/erase-account.ts'
import { users } from '#modules/identity/auth/users.ts'
import { leaveEverywhere } from '#modules/identity/collaborators/leave-everywhere.ts'
import type { ErasureRules } from './organization-erasure.ts'
import { dropFile } from '#modules/documents/files/receive-upload.ts'
import { AUDIT_LOGS } from '#modules/operations/audit-log/audit-chain.ts'
import { lastEntry, REDACTED_AT_ONCE, redactEntries } from './audit-redaction.ts'
import { first, type IoContext, one, type SystemContext } from '#kernel/data/context.ts'
import { isOverStatement, transactionId } from './open-transactions.ts'
import { AppError } from '#kernel/values/errors.ts'
import type { BoundTransactions } from '#kernel/jobs/jobs.ts'
import { clearCopies, removeOwn } from './personal-data.ts'
import { erasures, personExports } from './queries.ts'
import { settingOf } from '#ports/settings-in-force.ts'
import { afterFiscalYears } from './request-organization-erasure.ts'
import { assertMayGo } from './request-erasure.ts'

const DAY_MS = 86_400_000
const LOOK_AGAIN_MS = 100
const LOOKS = 100

export async function erasePerson(
  io: IoContext,
  transactions: BoundTransactions,
  { id, people }: { id: number; people: ErasureRules['people'] },
): Promise<void> {
  const began = await begin(transactions, id)
    .then(async (begun) => begun && (await waitUntilOver(io, begun)) && (await leave(transactions, id)))
    .catch((error: unknown) => postpone(io, transactions, { id, error }))
  if (!began) return
  const { userId } = began
  await inAll(transactions, async (ctx) => {
    const person = await first(ctx, erasures.person(id))
    if (person) for (const statement of [...clearCopies(people, person), ...removeOwn(person)]) await ctx.ask(statement)
  })
  for (const log of AUDIT_LOGS) {
    const [last] = await io.read(lastEntry(log))
    for (let from = 1; from <= (last?.id ?? 0); from += REDACTED_AT_ONCE)
      await inAll(transactions, (ctx) => redactEntries(ctx, log, { erasureId: id, from }))
  }
  await inAll(transactions, async (ctx) => {
    if (!(await first(ctx, erasures.open(id)))) return
    await eraseAccount(ctx, userId)
    const keptUntil = afterFiscalYears(ctx.now, await settingOf(ctx, 'vendor', 'fiscal_years'))
    await ctx.ask(erasures.end(id, { now: ctx.now, keptUntil }))
    await record(ctx, 'person_erased', userId, { erasure_id: id })
  })
}

const inAll = <Result>(
  { asSystem }: BoundTransactions,
  run: (ctx: SystemContext) => Promise<Result>,
): Promise<Result> => asSystem('a person may belong to several organizations', run)

/** Ends the person's access. Null when the erasure was cancelled meanwhile. */
const begin = (transactions: BoundTransactions, id: number): Promise<{ transaction: string } | null> =>
  inAll(transactions, async (ctx) => {
    const open = await first(ctx, erasures.open(id))
    if (!open) return null
    const { user_id: userId } = open
    await assertMayGo(ctx, userId)
    const { addresses } = await one(ctx, users.addresses(userId))
    await closeAccount(ctx, userId)
    await ctx.ask(erasures.begin(id, addresses))
    return one(ctx, transactionId)
  })

/**
 * Requests of the person that were under way may still write their name, and may make them the owner of an
 * organization.
 */
async function waitUntilOver(io: IoContext, { transaction }: { transaction: string }): Promise<true> {
  for (let look = 0; look < LOOKS; look++) {
    const [found] = await io.read(isOverStatement(transaction))
    if (found?.is_over) return true
    await sleep(LOOK_AGAIN_MS)
  }
  throw new Error('transactions that began before the account was closed are not over; it goes on with the next run')
}

const leave = (transactions: BoundTransactions, id: number): Promise<{ userId: number } | null> =>
  inAll(transactions, async (ctx) => {
    const person = await first(ctx, erasures.person(id))
    if (!person) return null
    await assertMayGo(ctx, person.id)
    await leaveEverywhere(ctx, person.id, person.addresses)
    for (const file of await ctx.ask(personExports.ofUser(person.id)))
      if (await first(ctx, personExports.expire(file.id))) await dropFile(ctx, file.storage_key)
    return { userId: person.id }
  })

/** Since the request the person has become an owner, or the last administrator: both can be changed. */
async function postpone(
  io: IoContext,
  transactions: BoundTransactions,
  { id, error }: { id: number; error: unknown },
): Promise<null> {
  if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error
  const due = new Date(io.now.getTime() + DAY_MS)
  await inAll(transactions, (ctx) => ctx.ask(erasures.postpone(id, error.message, due)))
  return null
}
