// Sends a declaration to the authority. If it may have been sent before, the job asks the authority first, so that
// nothing is issued twice. Without an answer the row says so, and the job is enqueued again after growing gaps
// (docs/decisions/0017).
import { invoicesTable } from '#modules/sales/invoices/invoice.ts'
import { move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext, IoContext } from '#kernel/data/context.ts'
import { addDays, dayIn } from '#kernel/values/time/calendar.ts'
import { type JobInput, organizationJob } from '#kernel/jobs/jobs.ts'
import {
  type IssuedTaxInvoice,
  ourProblem,
  type PreparedDeclaration,
  type TaxAuthority,
  TaxAnswerUnclear,
  TaxAuthorityUnavailable,
  TaxAuthorityUntrusted,
  type TaxRefusal,
} from '#ports/tax-authority.ts'
import { zoneOf } from '#ports/ports.ts'
import { problemFacts } from './authority-problems.ts'
import { taxInvoices } from './queries.ts'
import { keepSigned } from './signed-documents.ts'
import { type TaxInvoiceRow, taxInvoiceMoves, taxInvoicesTable } from './tax-invoice.ts'
import { noteNoAnswer } from './note-no-answer.ts'
import { sendDeclaration, type DeclarationPayload } from './declaration-jobs.ts'

type Silence = { outcome: 'unclear' | 'unavailable'; isUntrusted?: boolean }
type Answer = IssuedTaxInvoice | TaxRefusal | Silence

type Sending = JobInput<{ tax_invoice_id: number; is_first?: boolean }>

async function send({ read, ports, organizationId }: IoContext, job: Sending): Promise<Answer | null> {
  const [row] = await read(taxInvoices.row(organizationId ?? 0, job.payload.tax_invoice_id))
  if (!row || row.status !== 'pending' || row.declaration_id === null || row.declaration_xml === null) return null
  if (ports.taxAuthority === null) throw new Error('no tax authority is configured')
  const declaration = { id: row.declaration_id, xml: row.declaration_xml }
  // On a later attempt, the job may have crashed between the request and its commit.
  const isNew = job.attempts === 1 && (job.payload.is_first === true || row.substatus === 'unavailable')
  return ask(ports.taxAuthority, declaration, isNew)
}

async function ask(authority: TaxAuthority, declaration: PreparedDeclaration, isNew: boolean): Promise<Answer> {
  let mayBeThere = !isNew
  try {
    const known = isNew ? null : await lookUp(authority, declaration)
    if (known) return known
    const answer = await authority.issue(declaration)
    if (answer.outcome === 'issued') return answer
    // After a refusal the authority is asked again: an earlier request may have arrived since the first question.
    mayBeThere ||= answer.outcome === 'number_taken'
    const refused = { outcome: 'refused' as const, problems: answer.problems }
    return (mayBeThere ? await lookUp(authority, declaration) : null) ?? refused
  } catch (error) {
    if (error instanceof TaxAnswerUnclear) return { outcome: 'unclear' }
    if (error instanceof TaxAuthorityUnavailable)
      return { outcome: mayBeThere ? 'unclear' : 'unavailable', isUntrusted: error instanceof TaxAuthorityUntrusted }
    throw error
  }
}

/** A document that another system declared under our number counts as a refusal, not as our tax invoice. */
async function lookUp(authority: TaxAuthority, declaration: PreparedDeclaration): Promise<Answer | null> {
  const found = await authority.find(declaration.id)
  if (found === null || (await authority.isOf(found, declaration))) return found
  const message =
    `Another service was declared under this series and number (tax invoice ${found.accessKey}). Cancel ` +
    'this one and issue anew, which takes the next number.'
  return { outcome: 'refused', problems: [ourProblem('NUMBER_TAKEN', message)] }
}

async function note(ctx: OrganizationContext, job: DeclarationPayload, answer: Answer): Promise<void> {
  const { tax_invoice_id: id } = job
  const row = await taxInvoices.forChange(ctx, id)
  if (row.status !== 'pending')
    throw new Error(`tax invoice ${id} is ${row.status}, and was answered ${answer.outcome}`)
  switch (answer.outcome) {
    case 'issued':
      return issued(ctx, row, answer)
    case 'refused':
      await move(ctx, taxInvoicesTable, id, taxInvoiceMoves.fail, {
        substatus: 'refused',
        ...problemFacts(answer.problems),
      })
      return
    case 'unclear':
    case 'unavailable':
      return noteNoAnswer(ctx, sendDeclaration, { job, substatus: answer.outcome, isUntrusted: answer.isUntrusted })
  }
}

async function issued(ctx: OrganizationContext, row: TaxInvoiceRow, answer: IssuedTaxInvoice): Promise<void> {
  // The old one is cancelled first, so that at most one is live.
  if (row.replaces_id !== null) await takePlace(ctx, row, answer)
  keepSigned(ctx, row.id, { kind: 'invoice', xml: answer.xml })
  await move(ctx, taxInvoicesTable, row.id, taxInvoiceMoves.issue, {
    substatus: null,
    error_code: null,
    error_message: null,
    nfse_number: answer.number,
    access_key: answer.accessKey,
    verification_code: answer.verificationCode,
    issued_at: answer.issuedAt.toISOString(),
    iss_amount: answer.issAmount,
    cancel_until: lastDayToCancel(ctx, row, answer),
  })
  await pointInvoice(ctx, row.invoice_id)
}

function lastDayToCancel(ctx: OrganizationContext, row: TaxInvoiceRow, answer: IssuedTaxInvoice): string | null {
  const days = row.profile?.cancel_days
  return days === undefined ? null : addDays(dayIn(answer.issuedAt, zoneOf(ctx, 'entity_br')), days)
}

async function takePlace(ctx: OrganizationContext, row: TaxInvoiceRow, { issuedAt }: IssuedTaxInvoice): Promise<void> {
  const predecessor = await taxInvoices.forChange(ctx, row.replaces_id ?? 0)
  if (predecessor.status !== 'issued') return
  await move(ctx, taxInvoicesTable, predecessor.id, taxInvoiceMoves.cancel, {
    substatus: 'substituted',
    replaced_by_id: row.id,
    cancelled_at: issuedAt.toISOString(),
  })
}

/** The invoice's link leads to the first of its tax invoices that is in force. */
export async function pointInvoice(ctx: OrganizationContext, invoiceId: number): Promise<void> {
  const issuedOne = await taxInvoices.firstIssuedOf(ctx, invoiceId)
  const tax_link = issuedOne ? `${ctx.settings.publicUrl}/api/v1/tax-invoices/${issuedOne.id}/pdf` : null
  await update(ctx, invoicesTable, invoiceId, { tax_link })
}

export const sendDeclarationJob = organizationJob(sendDeclaration, {
  before: send,
  run: async (ctx, { payload }, answer) => {
    if (answer) await note(ctx, payload, answer)
  },
})
