// What the link in the mails shows of its invoice, for whoever has it.
import { factsOf } from '#modules/documents/documents-of-record/archive-document.ts'
import { serveWithin } from '#modules/documents/documents-of-record/serve-document.ts'
import { clockOfOrganization, testClockOf } from '#kernel/access/access-check.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { pick } from '#kernel/values/schema.ts'
import { sql } from '#kernel/values/sql.ts'
import { readingOf, settingOf } from '#ports/settings-in-force.ts'
import { invoiceDocument } from '../archive.ts'
import type { InvoiceFacts } from '../document.ts'
import { optionsOf, payableInvoice } from './options-of.ts'
import { invoiceOfToken } from './page-link.ts'
import type { PublicInvoice } from './payment-option.ts'

const SHOWN = ['number', 'status', 'company', 'amount_due', 'currency', 'due_date', 'total', 'amount_paid'] as const

const timeOf = (org: number) => sql<{ test_clock: string | null }>`
  select ${clockOfOrganization} as test_clock from organizations o
   where o.organization_id = ${org} and o.id = ${org} and o.deleted_at is null`

/**
 * In the organization's time. 404, always the same, for a token that opens nothing, a draft, and an organization that
 * is gone.
 */
async function inside(anywhere: IoContext, token: string): Promise<{ io: IoContext; org: number; id: number }> {
  const named = invoiceOfToken(anywhere.ports.secretKey, token)
  const io = named && anywhere.within(named.org)
  if (!named || !io) throw notFound()
  const [found] = await io.read(timeOf(named.org))
  if (!found) throw notFound()
  return { io: { ...io, now: testClockOf(found) ?? io.now }, ...named }
}

export async function publicInvoice(anywhere: IoContext, token: string): Promise<PublicInvoice> {
  const { io, org, id } = await inside(anywhere, token)
  const found = await factsOf(io, invoiceDocument, id)
  const [payable] = await io.read(payableInvoice(org, id))
  if (!found || !payable || isDraft(found.facts.invoice)) throw notFound()
  const { invoice, recipient } = found.facts
  const { legal_name, name } = { ...recipient, ...invoice.billing }
  return {
    ...pick(invoice, SHOWN),
    seller: await settingOf(readingOf(io), invoice.company, 'name'),
    customer: legal_name ?? name ?? '',
    paid_at: invoice.paid_at,
    options: optionsOf(payable, io),
  }
}

/** Also one that was voided as a draft: no customer has ever seen it. */
const isDraft = ({ status, finalized_at }: InvoiceFacts['invoice']): boolean =>
  status === 'draft' || (status === 'void' && finalized_at === null)

export async function publicInvoicePdf(anywhere: IoContext, token: string): Promise<FileAnswer> {
  const { io, id } = await inside(anywhere, token)
  await publicInvoice(anywhere, token)
  return serveWithin(io, invoiceDocument, id)
}
