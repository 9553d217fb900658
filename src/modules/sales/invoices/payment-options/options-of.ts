// Which options an invoice has: what its payment provider gave, else the account and the Pix key of the legal entity.
// They are made when they are read, so that a change of the settings counts at once.
import type { Ports } from '#kernel/data/context.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { pick } from '#kernel/values/schema.ts'
import { sql } from '#kernel/values/sql.ts'
import { type SellerSet, sellerIn, sellerSet } from '#ports/settings-in-force.ts'
import type { InvoiceRow } from '../invoice.ts'
import { invoicePageUrl } from './page-link.ts'
import type { Options, PaymentOptions } from './payment-option.ts'
import { pixCode } from './pix-code.ts'

const COLUMNS = [
  'id',
  'number',
  'status',
  'company',
  'amount_due',
  'currency',
  'due_date',
  'link',
  'payment_codes',
] as const
/** `seller`: what the legal entity has set of its name, account and Pix key. */
export type PayableInvoice = Pick<InvoiceRow, (typeof COLUMNS)[number]> & { seller: SellerSet | null }

/** Customers see no drafts. */
export const payableInvoice = (org: number, id: number) => sql<PayableInvoice>`
  select id, number, status, company, amount_due, currency, due_date, link, payment_codes,
         ${sellerSet(sql`invoices.company`)} as seller
    from invoices where organization_id = ${org} and id = ${id}`

type Io = { ports: Pick<Ports, 'settings' | 'secretKey'>; now: Date }

const NONE: Options = { page: null, pix: null, boleto: null, bank_transfer: null }

export function optionsOf(invoice: Omit<PayableInvoice, 'id'>, { ports: { settings }, now }: Io): Options {
  const { company, currency, link, number, amount_due, payment_codes, seller } = invoice
  if (!isPayable(invoice)) return NONE
  const page = link === null ? null : { url: link }
  if (settings.payments[company] !== 'none') {
    const { pix = null, boleto = null } = payment_codes ?? {}
    return { ...NONE, page, pix: inForce(pix, now), boleto: inForce(boleto, now) }
  }
  const { pix: receiver, bank_account: details } = sellerIn(settings, company, seller)
  const isPix = receiver !== null && currency === 'BRL'
  return {
    ...NONE,
    page,
    pix: isPix ? { copy_code: pixCode(receiver, amount_due, number), expires_at: null } : null,
    bank_transfer: details.length > 0 ? { details, reference: number } : null,
  }
}

export const isEmpty = (options: Options): boolean => Object.values(options).every((option) => option === null)

const isPayable = ({ status, amount_due, currency }: Pick<PayableInvoice, 'status' | 'amount_due' | 'currency'>) =>
  (status === 'open' || status === 'uncollectible') && parseMoney(amount_due, currency) > 0n

const inForce = <Code extends { expires_at: string | null }>(code: Code | null, now: Date): Code | null =>
  code?.expires_at && Date.parse(code.expires_at) <= now.getTime() ? null : code

export const paymentOptionsOf = (org: number, invoice: PayableInvoice, io: Io): PaymentOptions => ({
  invoice_id: invoice.id,
  ...pick(invoice, ['number', 'status', 'company', 'amount_due', 'currency', 'due_date']),
  url: invoice.status === 'draft' ? null : invoicePageUrl(io.ports, org, invoice.id),
  options: optionsOf(invoice, io),
})
