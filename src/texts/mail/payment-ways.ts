// How an invoice is paid, as facts of a mail.
import type { MailWords } from './content.ts'

/** What is paid with in a bank's program, without a page: the Pix code, the line of the boleto, the account. */
export type PaymentWays = {
  pix: string | null
  boleto: string | null
  transfer: { details: { label: string; value: string }[]; reference: string } | null
}

type Labels = { pix: string; boleto: string; reference: string }

export const paymentFacts =
  (labels: Labels) =>
  ({ pix, boleto, transfer }: PaymentWays): MailWords['facts'] => [
    ...(pix === null ? [] : [{ label: labels.pix, value: pix }]),
    ...(boleto === null ? [] : [{ label: labels.boleto, value: boleto }]),
    ...(transfer ? [...transfer.details, { label: labels.reference, value: transfer.reference }] : []),
  ]
