// All SQL of quotes.
import type { OrganizationRow } from '#modules/identity/organizations/organization.ts'
import type { Due, SweepTime } from '#kernel/jobs/sweep.ts'
import { startOfDayIn, todayOf } from '#ports/ports.ts'
import { longestWarningIn, warningDaysIn } from '#ports/settings-in-force.ts'
import { TERM_BEGAN } from '#modules/delivery/entitlements/ending-terms.ts'
import type { Entitlement, Renewal } from '#modules/delivery/entitlements/entitlement.ts'
import { type Only, pageAcross } from '#kernel/data/lists/across.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { withExternalId } from '#kernel/data/external-ids.ts'
import { page, parts, row } from '#http/route.ts'
import { auditedHistoryPage } from '#kernel/data/audit/history.ts'
import type { Company, Page } from '#kernel/values/schema.ts'
import { isOneOf, raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import {
  type AdministratorsQuoteFilters,
  Quote,
  type QuoteFilters,
  quoteListing,
  QuoteListItem,
  quoteMoves,
  type QuotePayment,
  quotesTable,
} from './quote.ts'

const columns = raw(Object.keys(Quote.properties).join(', '))
const listColumns = raw(Object.keys(QuoteListItem.properties).join(', '))

/** `newer` is the number of the version that replaced the quote. */
export type QuoteDecision = Pick<Quote, 'status' | 'valid_until'> & { newer: string | null }

const filtered = (query: QuoteFilters): Statement => sql`${withExternalId(query)} ${isOneOf('status', query.status)}`

const BILLED = raw(`name, legal_name, cnpj, email, phone, address, address_number, address2, neighborhood, city, state,
  country, zipcode, payment_customer_id_br, payment_customer_id_global`)

export const quotes = {
  history: (record: { org: number; id: number }, query: Page) =>
    auditedHistoryPage({ table: quotesTable, notes: ['rejection_reason'] }, record, query),
  page: (org: number, query: QuoteFilters) =>
    page(query, {
      keptFor: org,
      listing: quoteListing,
      columns: sql`${listColumns}`,
      from: sql`from quotes where organization_id = ${org} ${filtered(query)}`,
    }),
  pageOfAll: (query: AdministratorsQuoteFilters, only: Only) =>
    pageAcross(query, only, {
      table: 'quotes',
      listing: quoteListing,
      columns: sql`${listColumns}`,
      filtered: sql`${filtered(query)} ${when(query.created_by, (id) => sql`and created_by = ${id}`)}`,
    }),
  byId: (org: number, id: number) =>
    row<Quote>(sql`select ${columns} from quotes where organization_id = ${org} and id = ${id}`),

  /** Locks the row; 404 if there is none. */
  async forChange(ctx: OrganizationContext, id: number): Promise<Quote> {
    const [quote] = await ctx.ask<Quote>(sql`
      select ${columns} from quotes where organization_id = ${ctx.organizationId} and id = ${id} for update`)
    if (!quote) throw notFound()
    return quote
  },

  /** Until when the order is paid, where a subscription charges it. */
  paidUntil: async (ctx: OrganizationContext, orderId: number): Promise<string | null> =>
    (
      await one(
        ctx,
        sql<{ paid_until: string | null }>`
          select max(period_end) as paid_until from invoices
           where organization_id = ${ctx.organizationId} and order_id = ${orderId} and payment_status = 'paid'`,
      )
    ).paid_until,

  /** The quote with what decides whether it can be accepted. */
  withDecision: (org: number, id: number) => sql<Quote & QuoteDecision>`
    select ${raw(
      Object.keys(Quote.properties)
        .map((column) => `q.${column}`)
        .join(', '),
    )}, n.number as newer
      from quotes q left join quotes n on n.organization_id = q.organization_id and n.id = q.superseded_by_id
     where q.organization_id = ${org} and q.id = ${id}`,
  /** The same, locked. */
  toAccept: (org: number, id: number) => sql<Quote & QuoteDecision>`${quotes.withDecision(org, id)} for update of q`,
  /**
   * The class of each chosen line as the prefix of its code; none when the quote itself cannot be accepted
   * (accept-quote.ts).
   */
  prefixes: ({ org, id, today, choices }: Codes) => sql<{ prefix: string; nth: number }>`
    select l.line ->> 'entitlement_class' as prefix, l.nth
      from (${quotes.withDecision(org, id)}) q, jsonb_array_elements(q.line_items) with ordinality as l (line, nth)
     where l.line -> 'is_renewal' is null and coalesce((${storableJson(choices)}::jsonb -> (l.nth - 1)::text)::boolean,
       (l.line -> 'is_chosen')::boolean)
       and q.newer is null and q.status = any(${quoteMoves.accept.from}::text[])
       and q.valid_until >= case q.company when 'entity_br' then ${today.entity_br}::date
         else ${today.entity_global}::date end`,
  /** When the entitlements end that the quote would extend. */
  endsOfRenewed: (org: number, id: number) => sql<
    Pick<Entitlement, 'code' | 'expires_at' | 'created_at'> & { renewals: Renewal[] }
  >`
    select e.code, e.expires_at, e.created_at, e.renewals from quotes q, jsonb_array_elements(q.line_items) as l (line)
      join entitlements e on e.organization_id = ${org} and e.code = l.line ->> 'entitlement_code'
     where q.organization_id = ${org} and q.id = ${id} and l.line -> 'is_renewal' is not null`,
  /** The terms at whose end the quote would extend these entitlements. */
  termsOfRenewed: (org: number, id: number) => sql<{ code: string; began_at: string; expires_at: string }>`
    select e.code, ${TERM_BEGAN} as began_at, e.expires_at from quotes q, jsonb_array_elements(q.line_items) as l (line)
      join entitlements e on e.organization_id = ${org} and e.code = l.line ->> 'entitlement_code'
     where q.organization_id = ${org} and q.id = ${id} and l.line -> 'is_renewal' is not null
       and e.expires_at is not null`,
  numberOf: async (ctx: OrganizationContext, id: number): Promise<string> =>
    (
      await one(
        ctx,
        sql<{ number: string }>`
          select number from quotes where organization_id = ${ctx.organizationId} and id = ${id}`,
      )
    ).number,
  /**
   * The id of the first version of a quote, the highest version, and the number of the draft that would replace this
   * one.
   */
  family: (ctx: OrganizationContext, id: number) =>
    one(
      ctx,
      sql<{ first_id: number; last_version: number; draft: string | null }>`
        select f.id as first_id, max(v.version) as last_version,
               max(v.number) filter (where v.supersedes_id = ${id} and v.status = 'draft') as draft
          from (select coalesce(first_id, id) as id from quotes
                 where organization_id = ${ctx.organizationId} and id = ${id}) f
          join quotes v on v.organization_id = ${ctx.organizationId} and (v.id = f.id or v.first_id = f.id)
         group by f.id`,
    ),

  payment: (org: number, id: number) =>
    parts(
      [
        sql<Pick<Quote, 'id' | 'status' | 'total' | 'currency' | 'order_id'>>`
          select id, status, total, currency, order_id from quotes where organization_id = ${org} and id = ${id}`,
        sql<Partial<QuotePayment>>`
          select i.id as invoice_id, i.payment_status as status, i.payment_method, i.paid_at, i.link as checkout_url,
                 case i.status when 'paid' then i.amount_paid when 'void' then i.total else i.amount_due end as amount
              from invoices i join quotes q on q.organization_id = ${org} and q.order_id = i.order_id
             where i.organization_id = ${org} and q.id = ${id} and i.status <> 'draft'
             order by i.status = 'void', i.origin is distinct from 'order', i.id desc limit 1`,
      ],
      ([[quote], [invoice]]) => {
        if (!quote) throw notFound()
        if (quote.order_id === null)
          throw conflict('no_payment_yet', `A quote that is ${quote.status} has no payment yet`)
        const { id: quote_id, order_id, total: amount, currency } = quote
        const unpaid = {
          invoice_id: null,
          status: 'unpaid' as const,
          payment_method: null,
          paid_at: null,
          checkout_url: null,
        }
        return { quote_id, order_id, amount, currency, ...unpaid, ...invoice }
      },
    ),

  /** The organization's data for billing; its country decides the default legal entity. */
  billing: (ctx: OrganizationContext) => one(ctx, quotes.billed(ctx.organizationId)),
  billed: (org: number) => sql<Billing>`
    select ${BILLED} from organizations where organization_id = ${org} and id = ${org}`,
  billedWithTaxes: (org: number) => sql<Billing & Pick<OrganizationRow, 'tax_withholding'>>`
    select ${BILLED}, tax_withholding from organizations where organization_id = ${org} and id = ${org}`,

  /** Open quotes of all organizations past their date, in the time zone of their legal entity. */
  due: ({ now, settings }: SweepTime, today = todayOf({ now, settings })) => sql<Due>`
    select organization_id, id, ${startOfDayIn(settings, sql`valid_until + 1`)} as due_at from quotes
     where status in ('sent', 'viewed')
       and valid_until < case company when 'entity_br' then ${today.entity_br}::date else ${today.entity_global}::date
         end`,

  /** Open quotes of all organizations for which one of the days before their date is due and was not warned of. */
  warnable: ({ now, settings }: SweepTime, today = todayOf({ now, settings })) => sql<Due>`
    select q.organization_id, q.id, q.due_at from (
      select organization_id, id, valid_until, warned_days, ${startOfDayIn(settings, sql`valid_until`)} as due_at,
             (sent_at at time zone case company when 'entity_br' then ${settings.entities.entity_br.timeZone}
               else ${settings.entities.entity_global.timeZone} end)::date as sent_on,
             case company when 'entity_br' then ${today.entity_br}::date else ${today.entity_global}::date end as today
        from quotes
       where status in ('sent', 'viewed')
         and valid_until <= greatest(${today.entity_br}::date, ${today.entity_global}::date) +
           ${longestWarningIn(settings)}) q
     where q.valid_until >= q.today
       and exists (select 1 from (select min(d) as days from unnest(${warningDaysIn(settings)}) d
         where d >= q.valid_until - q.today) near
                    where near.days < coalesce(q.warned_days, 1000) and q.valid_until - near.days > q.sent_on)`,
  /** The days on which a warning may be due. */
  warningDays: ({ settings }: SweepTime) => sql<Due>`
    select organization_id, ${startOfDayIn(settings, sql`valid_until - d.days`)} as due_at
      from quotes, unnest(${warningDaysIn(settings)}) as d(days) where status in ('sent', 'viewed')`,
  warnedDays: async (ctx: OrganizationContext, id: number): Promise<number | null> =>
    (
      await ctx.ask<{ warned_days: number | null }>(
        sql`select warned_days from quotes where organization_id = ${ctx.organizationId} and id = ${id}`,
      )
    )[0]?.warned_days ?? null,

  mailFacts: (org: number, id: number) => sql<QuoteFacts>`
    select q.id, q.number, q.status, q.company, q.total, q.currency, q.valid_until, q.order_id,
           (select v.number from quotes v where v.organization_id = ${org} and v.id = q.supersedes_id) as replaces,
           (select max(l.nonce) from quote_links l where l.organization_id = ${org} and l.quote_id = q.id and l.mailed
               and l.revoked_at is null) as link_nonce,
           (select max(i.paid_at) from invoices i where i.organization_id = ${org}
             and i.order_id = q.order_id) as paid_at,
           coalesce((select jsonb_agg(jsonb_build_object('name', e.product_name, 'entitlementCode', e.code)
             order by e.id)
                       from entitlements e where e.organization_id = ${org} and e.quote_id = q.id), '[]') as provisioned
      from quotes q where q.organization_id = ${org} and q.id = ${id}`,
}

/** `choices`: by the index of the line, whether the customer chose it. */
type Codes = { org: number; id: number; today: Record<Company, string>; choices: Record<string, boolean> }

type QuoteFacts = Pick<
  Quote,
  'id' | 'number' | 'status' | 'company' | 'total' | 'currency' | 'valid_until' | 'order_id'
> & {
  replaces: string | null
  /** Of the mailed link, unless it was revoked. */
  link_nonce: string | null
  paid_at: string | null
  provisioned: { name: string; entitlementCode: string }[]
}

export type Billing = Record<
  | 'name'
  | 'legal_name'
  | 'cnpj'
  | 'email'
  | 'phone'
  | 'address'
  | 'address_number'
  | 'address2'
  | 'neighborhood'
  | 'city'
  | 'state'
  | 'country'
  | 'zipcode'
  | 'payment_customer_id_br'
  | 'payment_customer_id_global',
  string | null
>
