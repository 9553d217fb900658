// Cancels a tax invoice by event 101101. A tax invoice that another event has cancelled already counts as cancelled.
import { UnreadableXml } from '#kernel/values/text/xml.ts'
import {
  type CancellationRequest,
  type CancelledTaxInvoice,
  TaxAnswerUnclear,
  TaxAuthorityUnavailable,
  type TaxRefusal,
} from '#ports/tax-authority.ts'
import { eventsIn, problemsIn, readJson, stringIn } from './answers.ts'
import type { Authority } from './authority.ts'
import { CANCELLATION, eventRequestId, isAccessKey, kindOfTaxId } from './identifiers.ts'
import { NEWEST } from './layouts.ts'
import { brasiliaTime } from './moments.ts'
import { packed, unpacked } from './packing.ts'
import { pathOf } from './paths.ts'
import { cancellationEvent } from './results.ts'
import { latin } from './wording.ts'
import { writeXml } from './xml-writer.ts'

/** Events that cancel a tax invoice: cancelled, replaced, cancelled at our request or by the tax office itself. */
const CANCELLING_EVENTS = [CANCELLATION, '105102', '105104', '305101']

export async function cancel(
  authority: Authority,
  request: CancellationRequest,
): Promise<CancelledTaxInvoice | TaxRefusal> {
  const { accessKey } = request
  const xml = await cancellationXml(authority, request)
  if (typeof xml !== 'string') return xml
  const { status, text } = await authority.http.send({
    method: 'POST',
    path: pathOf(authority.paths.events, { key: accessKey }),
    body: { pedidoRegistroEventoXmlGZipB64: packed(xml) },
    certificate: await authority.certificate(),
  })
  const answer = readJson(text)
  const what = `The answer to cancelling ${accessKey} (${status})`
  if (status >= 200 && status < 300) return readEvent(stringIn(answer, 'eventoXmlGZipB64'), accessKey, what)
  const problems = status >= 400 && status < 500 ? problemsIn(answer) : []
  if (problems.length === 0) throw new TaxAnswerUnclear(`${what} neither confirms nor refuses it`)
  return (await cancellingEventOf(authority, accessKey)) ?? { outcome: 'refused', problems }
}

async function cancellationXml(authority: Authority, request: CancellationRequest): Promise<string | TaxRefusal> {
  const { accessKey, provider, at, reasonCode } = request
  const reason = latin(request.reason, 255)
  const kind = kindOfTaxId(provider.taxId)
  if (!isAccessKey(accessKey)) return refused('ACCESS_KEY', 'The tax invoice has no right access key')
  if (kind === null) return refused('PROVIDER_TAX_ID', 'The provider has no CNPJ')
  if (reason === null || reason.length < 15)
    return refused('REASON', 'The reason needs 15 to 255 characters of the Latin alphabet')
  const values = {
    tpAmb: authority.environment,
    verAplic: authority.application,
    dhEvento: brasiliaTime(at),
    [`${kind}Autor`]: provider.taxId,
    chNFSe: accessKey,
    e101101: { xDesc: 'Cancelamento de NFS-e', cMotivo: reasonCode, xMotivo: reason },
  }
  const id = eventRequestId(accessKey, CANCELLATION)
  const xml = writeXml({ ...NEWEST, ...NEWEST.eventRequest, id, values })
  return authority.sign(xml, 'infPedReg', await authority.certificate())
}

/** The event that cancelled the tax invoice; null when it is valid. */
async function cancellingEventOf(authority: Authority, accessKey: string): Promise<CancelledTaxInvoice | null> {
  const certificate = await authority.certificate()
  for (const type of CANCELLING_EVENTS) {
    const path = pathOf(authority.paths.event, { key: accessKey, type, sequence: '1' })
    const { status, text } = await authority.http.send({ method: 'GET', path, certificate })
    const [first] = status === 200 ? eventsIn(readJson(text)) : []
    if (first !== undefined) return readEvent(first, accessKey, `Event ${type} of ${accessKey}`)
    if (status >= 500) throw new TaxAuthorityUnavailable(`The events of ${accessKey} could not be read (${status})`)
  }
  return null
}

function readEvent(packedXml: string | null, accessKey: string, what: string): CancelledTaxInvoice {
  const xml = packedXml === null ? null : unpacked(packedXml)
  if (xml === null) throw new TaxAnswerUnclear(`${what} holds no readable event`)
  try {
    return cancellationEvent(xml, accessKey)
  } catch (cause) {
    if (!(cause instanceof UnreadableXml)) throw cause
    throw new TaxAnswerUnclear(`${what} holds a document that ${cause.message}`, { cause })
  }
}

const refused = (code: string, message: string): TaxRefusal => ({
  outcome: 'refused',
  problems: [{ code, message, detail: null }],
})
