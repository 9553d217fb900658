// Sends a declaration, and finds the tax invoice of one. Nothing is issued twice: when the authority answers that the
// number is used, its tax invoice is read and compared.
import { UnreadableXml } from '#kernel/values/text/xml.ts'
import {
  type IssuedTaxInvoice,
  ourProblem,
  type PreparedDeclaration,
  TaxAnswerUnclear,
  TaxAuthorityUnavailable,
  type TaxNumberTaken,
  type TaxProblem,
  type TaxRefusal,
} from '#ports/tax-authority.ts'
import { problemsIn, readJson, stringIn } from './answers.ts'
import type { Authority } from './authority.ts'
import { DECLARATION_ID, isAccessKey } from './identifiers.ts'
import { packed, unpacked } from './packing.ts'
import { pathOf } from './paths.ts'
import { isOfDeclaration, issuedInvoice } from './results.ts'

/** Series, number, municipality and CNPJ were used before, by ourselves when the answer was lost. */
const DUPLICATE = 'E0014'

export async function issue(
  authority: Authority,
  prepared: PreparedDeclaration,
): Promise<IssuedTaxInvoice | TaxRefusal | TaxNumberTaken> {
  const certificate = await authority.certificate()
  const { status, text } = await authority.http.send({
    method: 'POST',
    path: authority.paths.issue,
    body: { dpsXmlGZipB64: packed(prepared.xml) },
    certificate,
  })
  const answer = readJson(text)
  const what = `The answer to declaration ${prepared.id} (${status})`
  if (status >= 200 && status < 300) {
    const declared = stringIn(answer, 'idDps')
    if (declared !== null && declared !== prepared.id) throw new TaxAnswerUnclear(`${what} is about another one`)
    return readIssued(stringIn(answer, 'nfseXmlGZipB64'), prepared.id, what)
  }
  const problems = status >= 400 && status < 500 ? problemsIn(answer) : []
  if (problems.length === 0) throw new TaxAnswerUnclear(`${what} neither issues nor refuses it`)
  if (problems.some(({ code }) => code === DUPLICATE)) return duplicate(authority, prepared, problems)
  return { outcome: 'refused', problems }
}

async function duplicate(
  authority: Authority,
  prepared: PreparedDeclaration,
  problems: TaxProblem[],
): Promise<IssuedTaxInvoice | TaxRefusal | TaxNumberTaken> {
  let found: IssuedTaxInvoice | null
  try {
    found = await find(authority, prepared.id)
  } catch (cause) {
    throw new TaxAnswerUnclear(`Declaration ${prepared.id} is known already; what became of it could not be read`, {
      cause,
    })
  }
  if (!found || isOfDeclaration(found.xml, prepared.xml)) return found ?? { outcome: 'number_taken', problems }
  // Our own code, since the authority's would make staff search for an invoice of ours.
  const message =
    `Another service was declared under this series and number (tax invoice ${found.accessKey}). Cancel ` +
    'this one and issue anew, which takes the next number.'
  return { outcome: 'refused', problems: [ourProblem('NUMBER_TAKEN', message, DUPLICATE)] }
}

export async function find(authority: Authority, declarationId: string): Promise<IssuedTaxInvoice | null> {
  if (!DECLARATION_ID.test(declarationId)) throw new Error('Not the identifier of a declaration')
  const certificate = await authority.certificate()
  const { http, paths } = authority
  const lookup = { method: 'GET', path: pathOf(paths.declaration, { id: declarationId }), certificate } as const
  const known = await http.send(lookup)
  const answer = readJson(known.text)
  // The 404 page of a proxy is not an answer of the authority.
  if (known.status === 404 && (answer !== null || known.text.trim() === '')) return null
  const accessKey = stringIn(answer, 'chaveAcesso') ?? ''
  if (known.status !== 200 || !isAccessKey(accessKey))
    throw new TaxAuthorityUnavailable(`Declaration ${declarationId} could not be looked up (${known.status})`)
  const invoice = await http.send({ method: 'GET', path: pathOf(paths.invoice, { key: accessKey }), certificate })
  if (invoice.status !== 200)
    throw new TaxAuthorityUnavailable(`Tax invoice ${accessKey} is issued but could not be read (${invoice.status})`)
  const packedXml = stringIn(readJson(invoice.text), 'nfseXmlGZipB64')
  const issued = readIssued(packedXml, declarationId, `Tax invoice ${accessKey}`)
  if (issued.accessKey !== accessKey) throw new TaxAnswerUnclear(`Tax invoice ${accessKey} has another access key`)
  return issued
}

function readIssued(packedXml: string | null, declarationId: string, what: string): IssuedTaxInvoice {
  const xml = packedXml === null ? null : unpacked(packedXml)
  if (xml === null) throw new TaxAnswerUnclear(`${what} holds no readable tax invoice`)
  try {
    return issuedInvoice(xml, declarationId)
  } catch (cause) {
    if (!(cause instanceof UnreadableXml)) throw cause
    throw new TaxAnswerUnclear(`${what} holds a document that ${cause.message}`, { cause })
  }
}
