// The ways in which an open invoice can be paid (docs/interface/sales.md, Invoices).
import { Type, type Static } from 'typebox'
import { Company, Currency, CalendarDate, Id, Money, Nullable, Timestamp } from '#kernel/values/schema.ts'
import { Boleto, Pix } from '#ports/payment-codes.ts'
import { InvoiceStatus } from '../invoice.ts'

const Uri = Type.String({ format: 'uri' })

const Page = Type.Object(
  { url: Uri },
  { description: 'A page of the payment provider, or the `link` that staff gave the invoice' },
)
const BankTransfer = Type.Object(
  {
    details: Type.Array(
      Type.Object({
        label: Type.String({ examples: ['IBAN'] }),
        value: Type.String({ examples: ['DE02 1203 0000 0000 2020 51'] }),
      }),
      { description: 'Of the legal entity’s account, as the vendor wrote them' },
    ),
    reference: Type.String({ description: 'What the transfer names, so that it is found', examples: ['GL-000042'] }),
  },
  { description: 'A transfer to the legal entity’s account' },
)

export const Options = Type.Object(
  { page: Nullable(Page), pix: Nullable(Pix), boleto: Nullable(Boleto), bank_transfer: Nullable(BankTransfer) },
  { description: 'All null once nothing is due, and while the payment provider has not answered yet' },
)
export type Options = Static<typeof Options>

const payable = {
  number: Type.String({ examples: ['BR-000042'] }),
  status: InvoiceStatus,
  company: Company,
  amount_due: Money,
  currency: Currency,
  due_date: CalendarDate,
}
export const PaymentOptions = Type.Object(
  {
    invoice_id: Id,
    ...payable,
    url: Nullable({
      ...Uri,
      description: 'A page of the service that always shows the options as they are then; null for a draft',
    }),
    options: Options,
  },
  { description: 'How an invoice can be paid' },
)
export type PaymentOptions = Static<typeof PaymentOptions>

export const PublicInvoice = Type.Object(
  {
    ...payable,
    seller: Type.String({ examples: ['Titular Software Ltda.'] }),
    customer: Type.String({ examples: ['Acme'] }),
    total: Money,
    amount_paid: Money,
    paid_at: Nullable(Timestamp),
    options: Options,
  },
  { description: 'An invoice as the link in its mails shows it' },
)
export type PublicInvoice = Static<typeof PublicInvoice>
