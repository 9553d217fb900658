// The jobs that bring a company or a deal in the CRM to the present state, and the events that cause them. All jobs of
// an organization at a legal entity keep their order, so that a deal finds its company. Only present states are sent:
// events may come twice or in any order.
import { Type } from 'typebox'
import { organizationsTable } from '#modules/identity/organizations/organization.ts'
import { quotesTable } from '#modules/sales/quotes/quote.ts'
import { first, type OrganizationContext, type Ports, type SystemContext } from '#kernel/data/context.ts'
import { eventJobKind, jobKind, type JobKind } from '#kernel/data/job-kinds.ts'
import type { Consumer } from '#kernel/data/events.ts'
import { enqueue, organizationJob } from '#kernel/jobs/jobs.ts'
import { COMPANIES, Company, Id } from '#kernel/values/schema.ts'
import { crm } from './queries.ts'

/** `creates`: also where it was removed from the CRM. */
export const syncCompany = jobKind('crm/sync-company', { company: Company, creates: Type.Boolean() })
export const syncDeal = jobKind('crm/sync-deal', { company: Company, quote_id: Id, creates: Type.Boolean() })

const organizationChanged = eventJobKind('crm/organization-changed')
const quoteChanged = eventJobKind('crm/quote-changed')

export const keyOf = (organizationId: number, company: Company): string => `crm:${company}:${organizationId}`

/**
 * Enqueues the job unless the same one waits. What it is to see must be committed already: a job that waits now might
 * read before a commit that is still to come.
 */
export async function syncLater<Payload extends { company: Company }>(
  ctx: OrganizationContext | SystemContext,
  kind: JobKind<Payload>,
  payload: NoInfer<Payload>,
  organizationId: number,
): Promise<void> {
  const key = keyOf(organizationId, payload.company)
  if (await first(ctx, crm.waitingJob(organizationId, { kind: kind.name, key, payload }))) return
  await enqueue(ctx, kind, payload, { key, organizationId })
}

export const changeJobs = [
  organizationJob(organizationChanged, {
    run: async (ctx) => {
      for (const company of COMPANIES)
        if (ctx.settings.crm[company] !== 'none')
          await syncLater(ctx, syncCompany, { company, creates: false }, ctx.organizationId)
    },
  }),
  organizationJob(quoteChanged, {
    run: async (ctx, { payload: { resource_id: quote_id } }) => {
      const quote = await first(ctx, crm.companyOfQuote(ctx.organizationId, quote_id))
      if (!quote || ctx.settings.crm[quote.company] === 'none') return
      const { company } = quote
      if (!quote.is_linked) await syncLater(ctx, syncCompany, { company, creates: true }, ctx.organizationId)
      await syncLater(ctx, syncDeal, { company, quote_id, creates: false }, ctx.organizationId)
    },
  }),
]

const organizationEvents = organizationsTable.events
const quoteEvents = quotesTable.events

const isUsed = ({ crm: of }: Ports): boolean => COMPANIES.some((company) => of[company] !== null)

export const crmConsumers: Consumer[] = [
  ...[
    organizationEvents.created,
    organizationEvents.updated,
    organizationEvents.verified,
    organizationEvents.deleted,
    organizationEvents.restored,
  ].map((event) => ({ event, job: organizationChanged, isUsed })),
  ...[
    quoteEvents.sent,
    quoteEvents.viewed,
    quoteEvents.accepted,
    quoteEvents.paid,
    quoteEvents.fulfilled,
    quoteEvents.rejected,
    quoteEvents.expired,
    quoteEvents.cancelled,
    quoteEvents.superseded,
  ].map((event) => ({ event, job: quoteChanged, isUsed })),
]
