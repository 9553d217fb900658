// GET /contracts/{id}/pdf: the content of a contract's document.
import { PDF, type Recipient, recipientOf, templateFor } from '#modules/documents/documents-of-record/parties.ts'
import { notFound } from '#kernel/values/errors.ts'
import type { IoContext } from '#kernel/data/context.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import { raw, sql } from '#kernel/values/sql.ts'
import type { Block, DocumentTemplate, Fact } from '#ports/documents.ts'
import { textsIn } from '#texts/catalogue.ts'
import { formatDate } from '#texts/format.ts'
import type { Language } from '#texts/language.ts'
import { Contract } from './contract.ts'
import { serviceLevelBlocks } from './service-level-blocks.ts'

export type ContractFacts = { contract: Contract; recipient: Recipient }

export const contractFacts = (org: number, id: number): ReadPlan<ContractFacts> =>
  parts(
    [
      sql<Contract>`select ${raw(Object.keys(Contract.properties).join(', '))} from contracts
        where organization_id = ${org} and id = ${id}`,
      recipientOf(org),
    ],
    ([[contract], [recipient]]) => {
      if (!contract || !recipient) throw notFound()
      return { contract, recipient }
    },
  )

export async function contractPdf(io: IoContext, { contract, recipient }: ContractFacts): Promise<FileAnswer> {
  const template = await templateFor(io, contract.company, recipient)
  const words = textsIn(template.language).documents
  const bytes = await io.ports.documents.render({
    ...template,
    title: words.contract.title,
    reference: words.contract.number(contract.id),
    madeAt: contract.updated_at,
    blocks: [
      { kind: 'facts', facts: factsOf(contract, template.language) },
      ...serviceLevelBlocks(contract, template.language),
      ...textOf(words.terms, contract.terms),
      ...textOf(words.notes, contract.notes),
      ...signaturesOf(template, recipient),
    ],
  })
  return {
    content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    contentType: PDF,
    fileName: `${words.contract.title}-${contract.id}.pdf`,
  }
}

function factsOf(contract: Contract, language: Language): Fact[] {
  const { status, contract: words } = textsIn(language).documents
  const { start_date, end_date, notice_days, notice_date, entitlement_code, predecessor_id, successor_id } = contract
  const day = (date: string) => formatDate(language, date)
  const facts: [string, string | null][] = [
    [words.subject, contract.title],
    [status, words.statuses[contract.status]],
    [words.term, words.from(day(start_date), end_date === null ? null : day(end_date))],
    [words.entitlement, entitlement_code],
    [
      words.notice,
      notice_days === null || notice_date === null ? null : words.noticeFrom(notice_days, day(notice_date)),
    ],
    [words.predecessor, predecessor_id === null ? null : words.number(predecessor_id)],
    [words.successor, successor_id === null ? null : words.number(successor_id)],
  ]
  return facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]))
}

/** The parties sign below all that they agree on. */
function signaturesOf(
  { language, letterhead }: Pick<DocumentTemplate, 'language' | 'letterhead'>,
  customer: Recipient,
): Block[] {
  const { heading, placeAndDate, seller, customer: role, fields } = textsIn(language).documents.contract.signatures
  const parties = [
    { name: letterhead.name, role: seller, fields },
    { name: customer.legal_name ?? customer.name ?? '', role, fields },
  ]
  return [
    { kind: 'heading', text: heading },
    { kind: 'signatures', placeAndDate, parties },
  ]
}

const textOf = (heading: string, text: string | null): Block[] =>
  text === null || text.trim() === ''
    ? []
    : [
        { kind: 'heading', text: heading },
        { kind: 'text', text },
      ]
