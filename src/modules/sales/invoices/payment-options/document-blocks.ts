// How an invoice is paid, on its PDF. A paper may be older than what it says, so it always names the invoice's page.
import type { IoContext } from '#kernel/data/context.ts'
import type { Block, Fact } from '#ports/documents.ts'
import { zoneOf } from '#ports/ports.ts'
import { textsIn } from '#texts/catalogue.ts'
import { formatTime } from '#texts/format.ts'
import type { Language } from '#texts/language.ts'
import { isEmpty, optionsOf, type PayableInvoice } from './options-of.ts'
import { invoicePageUrl } from './page-link.ts'

export function waysToPay(io: IoContext, invoice: PayableInvoice, language: Language): Block[] {
  const options = optionsOf(invoice, io)
  if (isEmpty(options)) return []
  const { pay } = textsIn(language).documents.invoice
  const until = (moment: string) => formatTime(language, moment, zoneOf(io.ports, invoice.company))
  const url = invoicePageUrl(io.ports, io.organizationId ?? 0, invoice.id)
  const { pix, boleto, bank_transfer: transfer } = options
  const facts: Fact[] = [
    ...(boleto ? [{ label: pay.boleto, value: boleto.line }] : []),
    ...(boleto?.expires_at ? [{ label: pay.boletoUntil, value: until(boleto.expires_at) }] : []),
    ...(transfer ? [...transfer.details, { label: pay.reference, value: transfer.reference }] : []),
    ...(pix ? [{ label: pay.page, value: url }] : []),
  ]
  const code: Block = pix
    ? {
        kind: 'qr',
        content: pix.copy_code,
        caption: pay.pix(pix.expires_at && until(pix.expires_at)),
        facts: [{ label: pay.pixCode, value: pix.copy_code }],
      }
    : { kind: 'qr', content: url, caption: pay.online, facts: [{ label: pay.page, value: url }] }
  return [
    { kind: 'heading', text: pay.heading },
    code,
    ...(facts.length > 0 ? [{ kind: 'facts' as const, facts }] : []),
  ]
}
