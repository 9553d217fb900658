// The HTTP interface of the national system, as the sandbox tax authority implements it:
//   POST /nfse · GET /nfse/{key} · GET, HEAD /dps/{id} · POST /nfse/{key}/eventos · GET /nfse/{key}/eventos/{type}/{n}
// A recipient's `tax_param5`, which is sent as informational text, chooses an outcome: `refuse` is always refused;
// `unavailable` is answered 503 the first time, issuing nothing; `unclear` is issued, but answered 500 the first time.
import { gunzipSync, gzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Answer, Exchange } from '../payments/exchange.ts'
import { readDocument } from './document.ts'
import { json } from './json-answer.ts'
import type { Office } from './office.ts'
import { BAD_SCHEMA, type Fault, OUTCOME_PATH } from './rules.ts'

const Submission = Type.Record(Type.String(), Type.String())
const MAX_XML_BYTES = 1024 * 1024

export async function answerProtocol(office: Office, exchange: Exchange, path: string): Promise<Answer> {
  const [, area, id = '', events, type = '', sequence = ''] =
    /^\/(nfse|dps)(?:\/([0-9A-Z]+)(?:(\/eventos)(?:\/(\d{6})\/(\d{1,3}))?)?)?$/.exec(path) ?? []
  const { method } = exchange
  if (method === 'POST' && path === '/nfse') return issue(office, exchange)
  if (method === 'POST' && area === 'nfse' && events && !type) return cancel(office, exchange, id)
  if (method !== 'GET' && method !== 'HEAD') return json(405, { erro: 'Method Not Allowed' })
  if (area === 'dps' && id && !events) return declaration(office, id)
  if (area === 'nfse' && id && !events) return invoice(office, id)
  if (area === 'nfse' && type) return event(office, id, type, Number(sequence))
  return json(404, { erro: 'Not Found' })
}

async function issue(office: Office, exchange: Exchange): Promise<Answer> {
  const xml = submitted(exchange, 'dpsXmlGZipB64')
  if (xml === null) return refusal(office, 400, '', [{ codigo: 'E1226', descricao: 'Conteúdo não pôde ser lido.' }])
  if (isUnavailable(office, xml)) return json(503, { erro: 'Service Unavailable' })
  const { declarationId, outcome, record, faults } = await office.issue(xml)
  if (faults) return refusal(office, 400, declarationId, faults)
  // For the taxpayer the answer is lost; a second request finds that the number is used.
  if (outcome === 'unclear') return json(500, { erro: 'Internal Server Error' })
  const body = { idDps: declarationId, chaveAcesso: record.access_key, nfseXmlGZipB64: packed(record.xml), alertas: [] }
  return json(201, { ...head(office), ...body })
}

/** Once for each declaration, and again after a restart. */
function isUnavailable(office: Office, xml: string): boolean {
  const dps = readDocument(xml)
  if (dps?.(...OUTCOME_PATH) !== 'unavailable') return false
  const id = dps('DPS', 'infDPS', '@Id')
  if (office.answered503.has(id)) return false
  office.answered503.add(id)
  return true
}

async function declaration(office: Office, id: string): Promise<Answer> {
  const found = await office.store.byDeclaration(id)
  if (!found) return refusal(office, 404, id, [{ codigo: 'E2404', descricao: 'DPS não encontrada.' }])
  return json(200, { ...head(office), idDps: id, chaveAcesso: found.access_key })
}

async function invoice(office: Office, key: string): Promise<Answer> {
  const found = await office.store.byAccessKey(key)
  if (!found) return refusal(office, 404, '', [{ codigo: 'E0819', descricao: 'NFS-e não encontrada.' }])
  return json(200, { ...head(office), chaveAcesso: key, nfseXmlGZipB64: packed(found.xml) })
}

async function cancel(office: Office, exchange: Exchange, key: string): Promise<Answer> {
  const xml = submitted(exchange, 'pedidoRegistroEventoXmlGZipB64')
  const { record, faults } = xml === null ? { record: null, faults: [BAD_SCHEMA] } : await office.cancel(key, xml)
  // Some answers of the real system have a list here, although its documentation has one object.
  if (!record) return json(400, { ...head(office), erro: faults })
  return json(201, { ...head(office), eventoXmlGZipB64: packed(record.event?.xml ?? '') })
}

async function event(office: Office, key: string, type: string, sequence: number): Promise<Answer> {
  const found = await office.store.byAccessKey(key)
  if (found?.event?.type !== type || sequence !== 1) return json(404, { ...head(office), erro: [] })
  // Encoded in base64 twice, as by the real system.
  const arquivoXml = Buffer.from(packed(found.event.xml)).toString('base64')
  return json(200, { eventos: [{ chaveAcesso: key, tipoEvento: type, numeroPedidoRegistroEvento: 1, arquivoXml }] })
}

const refusal = (office: Office, status: number, declarationId: string, erros: Fault[]): Answer =>
  json(status, { ...head(office), idDPS: declarationId, erros })

const head = (office: Office) => ({
  tipoAmbiente: 2,
  versaoAplicativo: 'TitularSandbox',
  dataHoraProcessamento: office.now().toISOString(),
})

const packed = (xml: string): string => gzipSync(xml).toString('base64')

function submitted(exchange: Exchange, name: string): string | null {
  try {
    const body: unknown = JSON.parse(Buffer.from(exchange.body ?? []).toString('utf8'))
    if (!Value.Check(Submission, body)) return null
    const bytes = Buffer.from(body[name] ?? '', 'base64')
    return gunzipSync(bytes, { maxOutputLength: MAX_XML_BYTES }).toString('utf8')
  } catch {
    return null
  }
}
