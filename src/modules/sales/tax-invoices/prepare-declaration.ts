// Builds, signs and stores the declaration before anything is sent, so that after a crash the same one is sent again.
import { update, move } from '#kernel/data/changes.ts'
import type { OrganizationContext, IoContext } from '#kernel/data/context.ts'
import { organizationJob } from '#kernel/jobs/jobs.ts'
import { unmaskCnpj } from '#ports/cnpj.ts'
import {
  ourProblem,
  type OurProblem,
  type PreparedDeclaration,
  TaxAuthorityUnavailable,
  type TaxDeclaration,
  type TaxProblem,
  UndeclarableService,
} from '#ports/tax-authority.ts'
import { readingOf, settingOf } from '#ports/settings-in-force.ts'
import { keptService } from './invoice-parts.ts'
import { problemFacts } from './authority-problems.ts'
import { taxInvoices } from './queries.ts'
import { NO_COUNTRY } from './recipient.ts'
import { type TaxInvoiceRow, taxInvoiceMoves, taxInvoicesTable } from './tax-invoice.ts'
import { noteNoAnswer } from './note-no-answer.ts'
import { prepareDeclaration, sendLater, type DeclarationPayload } from './declaration-jobs.ts'

type Outcome = { declaredAt: Date } & (
  | { kind: 'prepared'; prepared: PreparedDeclaration }
  | { kind: 'undeclarable'; problems: TaxProblem[] }
  /** For instance, no certificate is valid now. */
  | { kind: 'unavailable' }
)

const undeclarable = (code: OurProblem, message: string) => ({
  kind: 'undeclarable' as const,
  problems: [ourProblem(code, message)],
})

async function prepare(io: IoContext, id: number): Promise<Outcome | null> {
  const { read, ports, organizationId, now } = io
  const org = organizationId ?? 0
  const [row] = await read(taxInvoices.row(org, id))
  if (!row || row.status !== 'pending' || row.declaration_xml !== null) return null
  if (ports.taxAuthority === null) throw new Error('no tax authority is configured')
  const about = { declaredAt: now }
  const [predecessor] = row.replaces_id === null ? [] : await read(taxInvoices.row(org, row.replaces_id))
  const [invoice] = await read(taxInvoices.purchaseOf(org, row.invoice_id))
  const { profile } = row
  const service = keptService(row)
  if (profile === null || service === null)
    return { ...about, ...undeclarable('NO_SERVICE_CODE', 'The fiscal profile has no service code.') }
  if (row.recipient.address.country === NO_COUNTRY)
    return { ...about, ...undeclarable('RECIPIENT_COUNTRY', 'The country of the organization is unknown.') }
  if (row.replaces_id !== null && predecessor?.status !== 'issued')
    return { ...about, ...undeclarable('NOT_ISSUED', 'The tax invoice that it was to replace is not issued any more.') }
  const { taxId } = ports.settings.entities.entity_br
  const name = await settingOf(readingOf(io), 'entity_br', 'name')
  const provider = { name, taxId: unmaskCnpj(taxId) ?? taxId.replaceAll(/[^0-9A-Za-z]/g, '') }
  const purchaseOrder = invoice?.purchase_order ?? null
  const declaration = { ...declarationOf(row, predecessor), purchaseOrder, declaredAt: now, provider, service }
  try {
    return { ...about, kind: 'prepared', prepared: await ports.taxAuthority.prepare(declaration, profile) }
  } catch (error) {
    if (error instanceof UndeclarableService) return { ...about, kind: 'undeclarable', problems: error.problems }
    if (error instanceof TaxAuthorityUnavailable) return { ...about, kind: 'unavailable' }
    throw error
  }
}

const declarationOf = (
  row: TaxInvoiceRow,
  predecessor: TaxInvoiceRow | undefined,
): Omit<TaxDeclaration, 'declaredAt' | 'provider' | 'service' | 'purchaseOrder'> => ({
  series: row.series,
  number: row.rps_number,
  competence: row.competence,
  recipient: row.recipient,
  description: row.description,
  amount: row.total,
  withheld: row.withheld,
  replaces: predecessor
    ? {
        accessKey: predecessor.access_key ?? '',
        reasonCode: predecessor.cancel_reason_code ?? '',
        reason: predecessor.cancel_reason ?? '',
      }
    : null,
})

async function note(ctx: OrganizationContext, job: DeclarationPayload, outcome: Outcome): Promise<void> {
  const { tax_invoice_id: id } = job
  const row = await taxInvoices.forChange(ctx, id)
  // Cancelled during the signing.
  if (row.status !== 'pending' || row.declaration_xml !== null) return
  switch (outcome.kind) {
    case 'prepared':
      return keep(ctx, row, outcome)
    case 'undeclarable':
      await move(ctx, taxInvoicesTable, id, taxInvoiceMoves.fail, {
        substatus: 'undeclarable',
        ...problemFacts(outcome.problems),
      })
      return
    case 'unavailable':
      return noteNoAnswer(ctx, prepareDeclaration, { job, substatus: 'unavailable' })
  }
}

async function keep(
  ctx: OrganizationContext,
  row: TaxInvoiceRow,
  { declaredAt, prepared }: Extract<Outcome, { kind: 'prepared' }>,
): Promise<void> {
  await update(ctx, taxInvoicesTable, row.id, {
    declaration_id: prepared.id,
    declaration_xml: prepared.xml,
    declared_at: declaredAt.toISOString(),
    substatus: 'sending',
  })
  // A row that has a declaration id was sent before and refused: the authority is asked before it is sent again.
  await sendLater(ctx, row.id, { isFirst: row.declaration_id === null })
}

export const prepareDeclarationJob = organizationJob(prepareDeclaration, {
  before: (io, { payload }) => prepare(io, payload.tax_invoice_id),
  run: async (ctx, { payload }, outcome) => {
    if (outcome) await note(ctx, payload, outcome)
  },
})
