// Mails about a quote: to everybody in the organization who may decide on it, each with a job of its own.
import { type Recipient, sendMail } from '#areas/notifications/send-mail.ts'
import { enqueue, organizationJob } from '#kernel/jobs/jobs.ts'
import { allows } from '#kernel/data/moves.ts'
import { sql } from '#kernel/data/sql.ts'
import type { MailContent } from '#texts/mail/content.ts'
import { quotes } from './queries.ts'
import { type Quote, quoteMoves } from './quote.ts'

type Fact = {
  quote: Quote
  organization_name: string
  replaces: string | null
  paid_at: string | null
  provisioned: { name: string; entitlementCode: string }[]
}

const factOf = (org: number, id: unknown) => sql<Quote & Omit<Fact, 'quote'>>`
  select q.id, q.number, q.status, q.total, q.currency, q.valid_until, o.name as organization_name,
         (select v.number from quotes v where v.organization_id = ${org} and v.id = q.supersedes_id) as replaces,
         (select max(i.paid_at) from invoices i where i.organization_id = ${org} and i.order_id = q.order_id) as paid_at,
         coalesce((select jsonb_agg(jsonb_build_object('name', e.product_name, 'entitlementCode', e.code) order by e.id)
                     from entitlements e where e.organization_id = ${org} and e.quote_id = q.id), '[]') as provisioned
    from quotes q join organizations o on o.organization_id = ${org} and o.id = q.organization_id
   where q.organization_id = ${org} and q.id = ${id}`

const KINDS = ['quote-sent', 'quote-expiring', 'quote-accepted', 'payment-received', 'quote-fulfilled'] as const
type Kind = (typeof KINDS)[number]

function contentOf(kind: Kind, fact: Quote & Omit<Fact, 'quote'>, sentAt: Date): MailContent {
  const { organization_name: organizationName, number, total, currency } = fact
  const common = { organizationName, number, total, currency, link: null }
  switch (kind) {
    case 'quote-sent':
      return { kind, ...common, replaces: fact.replaces, validUntil: fact.valid_until }
    case 'quote-expiring':
      return { kind, ...common, validUntil: fact.valid_until }
    case 'quote-accepted':
      return { kind, ...common }
    case 'payment-received':
      return { kind, ...common, paidAt: fact.paid_at ?? sentAt.toISOString() }
    case 'quote-fulfilled':
      return { kind, organizationName, number, link: null, provisioned: fact.provisioned }
  }
}

/** One job per reader, so that a mail that fails keeps no other back. */
const announce = (kind: Kind) =>
  organizationJob({
    kind: `quotes/announce-${kind}`,
    run: async (ctx, { payload }) => {
      for (const { user_id } of await ctx.ask(quotes.readers(ctx.organizationId, ctx.now)))
        await enqueue(ctx, `quotes/mail-${kind}`, { quote_id: payload['resource_id'], user_id })
    },
  })

const mail = (kind: Kind) =>
  organizationJob({
    kind: `quotes/mail-${kind}`,
    before: async (outside, job) => {
      const { quote_id, user_id } = job.payload
      const org = outside.organizationId ?? 0
      const [fact] = await outside.read(factOf(org, quote_id))
      const reader = (await outside.read(quotes.readers(org, outside.now))).find((one) => one.user_id === user_id)
      // Left the organization, or lost the scope, since.
      if (!fact || !reader) return
      // Withdrawn, or replaced by the next version, whose mail is the one to read.
      if (kind === 'quote-sent' && fact.status === 'cancelled') return
      // Decided on meanwhile.
      if (kind === 'quote-expiring' && !allows(quoteMoves.expire, fact.status)) return
      const to: Recipient = reader
      await sendMail(outside, job, to, contentOf(kind, fact, outside.now))
    },
  })

export const quoteMailJobs = KINDS.flatMap((kind) => [announce(kind), mail(kind)])

export const quoteMailConsumers = [
  { event: 'titular/quote/sent', job: 'quotes/announce-quote-sent' },
  { event: 'titular/quote/expiring', job: 'quotes/announce-quote-expiring' },
  { event: 'titular/quote/accepted', job: 'quotes/announce-quote-accepted' },
  { event: 'titular/quote/paid', job: 'quotes/announce-payment-received' },
  { event: 'titular/quote/fulfilled', job: 'quotes/announce-quote-fulfilled' },
] as const
