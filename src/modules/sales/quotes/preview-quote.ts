// POST /quotes/{id}/preview: what accepting would create (docs/interface/sales.md, Quotes), computed by the functions
// that create it.
import { Type, type Static } from 'typebox'
import {
  type Entitlement,
  type EntitlementClass,
  EntitlementCode,
  CLASSES,
  type Renewal,
} from '#modules/delivery/entitlements/entitlement.ts'
import { termAfter } from '#modules/delivery/entitlements/renew-by-order.ts'
import { BOUGHT as ENVIRONMENT } from '#modules/delivery/environments/provision-environment.ts'
import { dueOn } from '#modules/sales/invoices/create-invoice.ts'
import { orderFrom } from '#modules/sales/orders/create-order.ts'
import { LineItem } from '#modules/delivery/products/line-item.ts'
import { Order } from '#modules/sales/orders/order.ts'
import { BOUGHT as SERVICE } from '#modules/delivery/services/open-service.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { notFound } from '#kernel/values/errors.ts'
import { parts, type ReadPlan, type CallerContext } from '#http/route.ts'
import { CalendarDate, Company, Currency, Id, Money, Name, Nullable, Text, Timestamp } from '#kernel/values/schema.ts'
import { zoneOf } from '#ports/ports.ts'
import { sentenceIn } from '#texts/answers/sentences.ts'
import { languageFrom } from '#texts/language.ts'
import { verificationOf } from '#modules/delivery/customers/verification.ts'
import { refusalOf } from './accept-quote.ts'
import { entitlementOf } from './provision-order.ts'
import { chosenOffer, discountIn, type LineChoice, orderedLines } from './quote-line.ts'
import { type Billing, type QuoteDecision, quotes } from './queries.ts'
import type { Quote } from './quote.ts'

const one = (name: string) => Type.String({ examples: [name] })
const FutureOrder = Type.Object({
  ...Type.Pick(Order, ['currency', 'subtotal', 'discount_total', 'tax_total', 'total', 'purchase_order', 'notes'])
    .properties,
  ...Type.Pick(Order, ['company', 'billing_name', 'billing_email']).properties,
  line_items: Type.Array(LineItem),
})
const FutureInvoice = Type.Object({
  company: Company,
  currency: Currency,
  total: Money,
  issue_date: CalendarDate,
  due_date: CalendarDate,
})
const classRecords = {
  license: Nullable(
    Type.Object({
      product_name: Name,
      activations_limit: Type.Integer({ examples: [5] }),
      expires_at: Nullable(Timestamp),
    }),
  ),
  environment: Nullable(
    Type.Object({
      name: Name,
      status: one('provisioning'),
      platform: one('custom'),
      environment_type: one('production'),
    }),
  ),
  service: Nullable(Type.Object({ name: Name, status: one('approved'), lifecycle: one('project') })),
  affiliate: Nullable(Type.Object({ status: one('active'), currency: Currency })),
}
const ClassRecords = Type.Object(classRecords)
type ClassRecords = Static<typeof ClassRecords>

export const QuotePreview = Type.Object(
  {
    quote_id: Id,
    can_accept: Type.Boolean(),
    reason: Nullable(
      Type.String({
        description: 'Why it cannot be accepted now, in the language of `Accept-Language`',
        examples: ['The quote was replaced by Q-42-v2'],
      }),
    ),
    order: FutureOrder,
    invoice: FutureInvoice,
    entitlements: Type.Array(
      Type.Object({
        class: Type.Enum(CLASSES, { examples: ['PLG'] }),
        entitlement_code: Nullable({ ...EntitlementCode, description: 'What is extended; null: a new entitlement' }),
        product_name: Name,
        product_description: Nullable(Text),
        quantity: LineItem.properties.quantity,
        company: Company,
        expires_at: Nullable({ ...Timestamp, description: 'The end, assuming a payment now' }),
        ...classRecords,
      }),
    ),
  },
  { description: 'What accepting a quote creates' },
)
export type QuotePreview = Static<typeof QuotePreview>

export const previewQuote = (org: number, id: number, choices?: readonly LineChoice[]): ReadPlan<QuotePreview> =>
  parts(
    [quotes.withDecision(org, id), verificationOf(org), quotes.billed(org), quotes.endsOfRenewed(org, id)],
    ([[quote], [verification], [billing], ends], context) => {
      if (!quote || !verification || !billing) throw notFound()
      return previewOf({ ...quote, ...chosenOffer(quote, choices) }, { verification, billing, ends }, context)
    },
  )

type PreviewFacts = {
  verification: { is_unverified: boolean }
  billing: Billing
  ends: readonly (Pick<Entitlement, 'code' | 'expires_at' | 'created_at'> & { renewals: Renewal[] })[]
}

function previewOf(
  quote: Quote & QuoteDecision,
  { verification, billing, ends }: PreviewFacts,
  context: CallerContext,
): QuotePreview {
  const { company, currency } = quote
  const zone = zoneOf(context.ports, company)
  const today = dayIn(context.now, zone)
  const refusal = refusalOf(quote, verification, today)
  const reason = refusal && sentenceIn(languageFrom(context.acceptLanguage, 'en'), refusal.message)
  const order = orderFrom({ ...quote, line_items: orderedLines(quote.line_items) }, billing, context.caller)
  const { total, line_items } = order
  return {
    quote_id: quote.id,
    can_accept: reason === null,
    reason,
    order: { ...order, discount_total: discountIn(quote) },
    invoice: { company, currency, total, issue_date: today, due_date: dueOn(today) },
    entitlements: line_items.map((line) => {
      const renewed = line.is_renewal ? ends.find(({ code }) => code === line.entitlement_code) : undefined
      const entitlement = { entitlement_code: null, ...entitlementOf(line, { company, zone, paidAt: context.now }) }
      if (line.is_renewal) {
        const expires_at = endOfRenewal(line, renewed, zone) ?? entitlement.expires_at
        return { ...entitlement, ...NO_RECORDS, expires_at, entitlement_code: line.entitlement_code }
      }
      return {
        ...entitlement,
        ...NO_RECORDS,
        ...RECORDS[line.entitlement_class](line, entitlement.expires_at, currency),
      }
    }),
  }
}

/** Null if the entitlement has no end, or the line no term. */
function endOfRenewal(
  { term_months: months }: LineItem,
  of: PreviewFacts['ends'][number] | undefined,
  timeZone: string,
) {
  if (!of || of.expires_at === null || months === null) return null
  return termAfter(new Date(of.expires_at), { months, timeZone }, of).toISOString()
}

const NO_RECORDS: ClassRecords = { license: null, environment: null, service: null, affiliate: null }

type RecordOf = (line: LineItem, expiresAt: string | null, currency: string) => Partial<ClassRecords>

/** The record that provision-order.ts creates by class; a test compares the two. */
const RECORDS: Record<EntitlementClass, RecordOf> = {
  PLG: ({ product_name, quantity }, expires_at) => ({
    license: { product_name, activations_limit: quantity, expires_at },
  }),
  ENV: ({ product_name: name }) => ({ environment: { name, ...ENVIRONMENT } }),
  SVC: ({ product_name: name }) => ({ service: { name, ...SERVICE } }),
  AFL: (_line, _expiresAt, currency) => ({ affiliate: { status: 'active', currency } }),
  ORD: () => ({}),
  EDU: () => ({}),
}
