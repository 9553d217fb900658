// Erases a person whose erasure is due, in steps that each may run again: first nobody can sign in and nothing belongs to the
// person any more, then the copies of name and addresses go, last the account, by which the copies are found.
import { record } from '#areas/auth/account-log.ts'
import { closeAccount, eraseAccount } from '#areas/auth/erase-account.ts'
import { users } from '#areas/auth/users.ts'
import { leaveEverywhere } from '#areas/collaborators/leave-everywhere.ts'
import { dropFile } from '#areas/files/receive-upload.ts'
import { AUDIT_LOGS } from '#kernel/data/audit-chain.ts'
import { lastEntry, REDACTED_AT_ONCE, redactEntries } from '#kernel/data/audit-redaction.ts'
import { first, type IoContext, one, type SystemContext } from '#kernel/data/context.ts'
import { AppError } from '#kernel/http/errors.ts'
import type { BoundTransactions } from '#kernel/jobs/jobs.ts'
import { clearCopies, removeOwn } from './personal-data.ts'
import { erasures, personExports } from './queries.ts'
import { assertMayGo } from './request-erasure.ts'

const DAY_MS = 86_400_000

export async function erasePerson(io: IoContext, transactions: BoundTransactions, id: number): Promise<void> {
  const userId = await begin(transactions, id).catch((error: unknown) => postpone(io, transactions, { id, error }))
  if (userId === null) return
  await inAll(transactions, async (ctx) => {
    const { email } = await one(ctx, users.inFull(userId, ctx.now))
    for (const statement of [...clearCopies(userId), ...removeOwn(userId, email)]) await ctx.ask(statement)
  })
  for (const log of AUDIT_LOGS) {
    const [last] = await io.read(lastEntry(log))
    for (let from = 1; from <= (last?.id ?? 0); from += REDACTED_AT_ONCE)
      await inAll(transactions, (ctx) => redactEntries(ctx, log, { erasureId: id, from }))
  }
  await inAll(transactions, async (ctx) => {
    if (!(await first(ctx, erasures.open(id)))) return
    await eraseAccount(ctx, userId)
    await ctx.ask(erasures.end(id, ctx.now))
    await record(ctx, 'person_erased', userId, { erasure_id: id })
  })
}

const inAll = <Result>(
  { asSystem }: BoundTransactions,
  run: (ctx: SystemContext) => Promise<Result>,
): Promise<Result> => asSystem('a person may belong to several organizations', run)

/** Ends the person's access. Null when the erasure was cancelled meanwhile. */
const begin = (transactions: BoundTransactions, id: number): Promise<number | null> =>
  inAll(transactions, async (ctx) => {
    const open = await first(ctx, erasures.open(id))
    if (!open) return null
    const { user_id: userId } = open
    await assertMayGo(ctx, userId)
    await closeAccount(ctx, userId)
    const { email } = await one(ctx, users.inFull(userId, ctx.now))
    await leaveEverywhere(ctx, userId, email)
    for (const file of await ctx.ask(personExports.ofUser(userId)))
      if (await first(ctx, personExports.expire(file.id))) await dropFile(ctx, file.storage_key)
    await ctx.ask(erasures.begin(id))
    return userId
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
