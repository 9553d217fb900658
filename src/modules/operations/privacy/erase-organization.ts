// Erases an organization that is due, in steps that each may run again: first what was for working, and when the years
// of fiscal law are over, the rest. The files go with the rows that name them.
import { dropFile } from '#modules/documents/files/receive-upload.ts'
import type { ErasureRules } from './organization-erasure.ts'
import { first, type IoContext, type SystemContext } from '#kernel/data/context.ts'
import { AppError } from '#kernel/values/errors.ts'
import type { BoundTransactions } from '#kernel/jobs/jobs.ts'
import { SELF_REFERRING } from './organization-erasure.ts'
import { keptOfPeople, organizationErasures } from './organization-erasures.ts'
import { clearKeptCopies } from './personal-data.ts'
import { settingOf } from '#ports/settings-in-force.ts'
import { afterFiscalYears, assertMayBeErased, cancelScheduledErasure, entry } from './request-organization-erasure.ts'

const DAY_MS = 86_400_000
const ROWS_AT_ONCE = 1000

type Due = { id: number; organization_id: number }

const inAll = <Result>(
  { asSystem }: BoundTransactions,
  run: (ctx: SystemContext) => Promise<Result>,
): Promise<Result> => asSystem('an organization that is erased belongs to nobody', run)

export async function eraseOrganization(
  io: IoContext,
  transactions: BoundTransactions,
  { due, rules }: { due: Due; rules: ErasureRules },
): Promise<void> {
  const status = await begin(transactions, due, rules).catch((error: unknown) =>
    postpone(io, transactions, { due, error }),
  )
  if (status !== 'running' && status !== 'ending') return
  // Late news of a provider may have added to the working tables since.
  const tables = status === 'running' ? rules.working : [...rules.working, ...rules.fiscal]
  for (const table of tables) await removeAll(transactions, due, table)
  await inAll(transactions, (ctx) => end(ctx, due))
}

/** Gives the status in which it goes on; null when there is nothing to do. */
const begin = (
  transactions: BoundTransactions,
  { id, organization_id: org }: Due,
  rules: ErasureRules,
): Promise<string | null> =>
  inAll(transactions, async (ctx) => {
    await ctx.enter(org)
    const open = await first(ctx, organizationErasures.open(org, id))
    if (open?.status === 'kept') await ctx.ask(organizationErasures.follow(org, id, { status: 'ending' }))
    if (open?.status !== 'scheduled') return open?.status === 'kept' ? 'ending' : (open?.status ?? null)
    await assertMayBeErased(ctx, org, rules)
    await ctx.ask(organizationErasures.clearContacts(org, ctx.now))
    const keptUntil = afterFiscalYears(ctx.now, await settingOf(ctx, 'vendor', 'fiscal_years'))
    await ctx.ask(organizationErasures.follow(org, id, { status: 'running', keptUntil }))
    return 'running'
  })

/**
 * Under the organization's lock: of two that remove the same rows at once, the second would find none and go on too
 * early.
 */
async function removeAll(transactions: BoundTransactions, due: Due, table: string): Promise<void> {
  const most = SELF_REFERRING.includes(table) ? null : ROWS_AT_ONCE
  for (let removed = ROWS_AT_ONCE; removed === ROWS_AT_ONCE;)
    removed = await inAll(transactions, async (ctx) => {
      await ctx.enter(due.organization_id)
      const rows = await ctx.ask(organizationErasures.remove(due.id, table, most))
      for (const { storage_key: key } of rows) if (key !== null) await dropFile(ctx, key)
      return most === null ? 0 : rows.length
    })
}

async function end(ctx: SystemContext, { id, organization_id: org }: Due): Promise<void> {
  const open = await first(ctx, organizationErasures.open(org, id))
  if (open?.status === 'running') {
    await ctx.ask(organizationErasures.follow(org, id, { status: 'kept' }))
    ctx.write(entry(ctx, 'organization_erased', { id, organization_id: org }))
  } else if (open?.status === 'ending') {
    await ctx.ask(organizationErasures.clearName(org, ctx.now))
    await ctx.ask(organizationErasures.follow(org, id, { status: 'done', endedAt: ctx.now }))
    ctx.write(entry(ctx, 'organization_records_removed', { id, organization_id: org }))
  }
}

/** Since the request it was restored, which ends the erasure, or something was opened, which can be settled. */
async function postpone(
  io: IoContext,
  transactions: BoundTransactions,
  { due: { id, organization_id: org }, error }: { due: Due; error: unknown },
): Promise<null> {
  if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error
  await inAll(transactions, async (ctx) => {
    const found = await first(ctx, organizationErasures.organization(org))
    const due = new Date(io.now.getTime() + DAY_MS)
    if (found?.is_deleted) await ctx.ask(organizationErasures.postpone(org, id, { problem: error.message, due }))
    else await cancelScheduledErasure(ctx, org, error.message)
  })
  return null
}

/** The years after the erasure of a person are over: who they were as a buyer goes from the orders that are left. */
export const clearKept = (
  transactions: BoundTransactions,
  { id, user_id: userId }: { id: number; user_id: number },
  people: ErasureRules['people'],
): Promise<void> =>
  inAll(transactions, async (ctx) => {
    for (const statement of clearKeptCopies(people, userId)) await ctx.ask(statement)
    await ctx.ask(keptOfPeople.end(id))
  })
