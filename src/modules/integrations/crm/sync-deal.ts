// Brings the deal of a sent quote in the CRM to the quote's state. The stage follows the status of the quote; a stage
// that salespeople chose stays until the quote moves on, is shown to staff, and never moves the quote
// (docs/decisions/0044).
import { isDeepStrictEqual } from 'node:util'
import type { IoContext, OrganizationContext } from '#kernel/data/context.ts'
import { organizationJob, PermanentFailure } from '#kernel/jobs/jobs.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import type { Company } from '#kernel/values/schema.ts'
import { type Crm, type CrmDeal, DEAL_STATUSES, type DealChange, type DealStatus, type DealValues } from '#ports/crm.ts'
import { stageOf } from '#ports/deal-settings.ts'
import { readingOf, settingOf } from '#ports/settings-in-force.ts'
import { zoneOf } from '#ports/ports.ts'
import { fromCrm } from './crm-failures.ts'
import { crm, type SentDeal, type SyncedQuote } from './queries.ts'
import { syncDeal } from './sync-jobs.ts'

type Outcome = { kind: 'nothing' } | { kind: 'removed' } | { kind: 'synced'; deal: SentDeal }

export const syncDealJob = organizationJob(syncDeal, {
  before: (io, { payload }) => exchange(io, payload),
  run: async (ctx, { payload: { quote_id } }, outcome) => {
    if (outcome.kind === 'removed') await ctx.ask(crm.dealRemoved(ctx.organizationId, quote_id, ctx.now))
    if (outcome.kind === 'synced') await remember(ctx, outcome.deal)
  },
})

const remember = (ctx: OrganizationContext, deal: SentDeal) =>
  ctx.ask(crm.rememberDeal(ctx.organizationId, deal, ctx.now))

type DealRequest = { company: Company; quote_id: number; creates: boolean }

async function exchange(io: IoContext, { company, quote_id, creates }: DealRequest): Promise<Outcome> {
  const port = io.ports.crm[company]
  if (!port) return { kind: 'nothing' }
  const { provider } = port
  const [quote] = await io.read(crm.quote(io.organizationId ?? 0, quote_id, { company, provider }))
  const status = DEAL_STATUSES.find((one) => one === quote?.status)
  if (!quote || !status || quote.sent_at === null || quote.deleted_at !== null) return { kind: 'nothing' }
  const found = await fromCrm(port.findDeal(quote_id))
  // Somebody deleted it there: it is not created again.
  if (!found && quote.deal_id !== null && !creates) return { kind: 'removed' }
  if (quote.company_id === null) {
    if (found) return { kind: 'nothing' }
    throw new PermanentFailure(
      'the organization has no company in the CRM: its own job failed, and is to be retried first',
    )
  }
  const values = valuesOf(quote, { status, zone: zoneOf(io.ports, company) })
  const place = await placeIn(io, company, status)
  const saved = await fromCrm(write(port, quote_id, { quote, found, values, place }))
  const { stage } = quote
  const isMoved = stage === null || movesOn(quote, found, values)
  const deal = { company, quote_id, provider, crm_id: saved.id, sent: values, crm_stage: saved.stage }
  return { kind: 'synced', deal: { ...deal, stage: isMoved ? saved.stage : stage } }
}

function valuesOf(quote: SyncedQuote, { status, zone }: { status: DealValues['status']; zone: string }): DealValues {
  const { number, organization_name, total, currency, accepted_at, valid_until } = quote
  return {
    name: `${number} · ${organization_name}`,
    amount: total,
    currency,
    closesOn: accepted_at === null ? valid_until : dayIn(new Date(accepted_at), zone),
    status,
  }
}

/** Where deals of this status are in the CRM. */
async function placeIn(io: IoContext, company: Company, status: DealStatus): Promise<DealPlace> {
  const settings = readingOf(io)
  const pipeline = await settingOf(settings, company, 'deal_pipeline')
  return { pipeline, stage: stageOf(await settingOf(settings, company, 'deal_stages'), status) }
}

type DealPlace = NonNullable<DealChange['place']>
type Sides = { quote: SyncedQuote; found: CrmDeal | null; values: DealValues; place: DealPlace }

function write(port: Crm, quoteId: number, { quote, found, values, place }: Sides): Promise<CrmDeal> {
  const companyId = quote.company_id ?? ''
  if (found?.companyIds.includes(companyId) && isDeepStrictEqual(quote.sent, values)) return Promise.resolve(found)
  const { status: _status, ...rest } = values
  const moved = movesOn(quote, found, values) ? place : null
  return port.saveDeal({ id: found?.id ?? null, quoteId, companyId, values: rest, place: moved })
}

/** Whether the quote's status is another one than was last sent. */
const movesOn = ({ sent }: SyncedQuote, found: CrmDeal | null, { status }: DealValues): boolean =>
  !found || typeof sent !== 'object' || sent === null || !('status' in sent) || sent.status !== status
