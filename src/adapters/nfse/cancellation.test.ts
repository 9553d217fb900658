// Cancelling and replacing tax invoices over mutual TLS.
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CancellationRequest, TaxAnswerUnclear, TaxAuthorityUnavailable } from '#ports/tax-authority.ts'
import { LETTERS, PROFILE, PROVIDER, declaration } from '#test/scenes/nfse-fixtures.ts'
import type { Behaviour } from '#test/stand-ins/nfse.ts'
import { NOW, type NfseWorld, nfseWorld } from '#test/scenes/nfse-world.ts'
import { unpacked } from './packing.ts'

let world: NfseWorld
let number = 500
beforeAll(async () => void (world = await nfseWorld()))
afterAll(() => world.close())
beforeEach(() => void world.standIn.requests.splice(0))

/** For answers that never come: a limit that is long enough to connect on a busy machine. */
const impatient = () => world.client({ timeoutMs: 2_000 })

async function issued(more = {}): Promise<string> {
  const client = world.client()
  const answer = await client.issue(await client.prepare(declaration({ number: number++, ...more }), PROFILE))
  if (answer.outcome !== 'issued') throw new Error(JSON.stringify(answer))
  return answer.accessKey
}

const refusal = (code: string) => ({ outcome: 'refused', problems: [{ code }] })

const request = (accessKey: string, more: Partial<CancellationRequest> = {}): CancellationRequest => ({
  accessKey,
  provider: PROVIDER,
  at: NOW,
  reasonCode: '1',
  reason: 'Emitida em duplicidade',
  ...more,
})

describe('cancel', () => {
  it('registers event 101101 with the exact text, signed', async () => {
    const key = await issued()
    const cancelled = await world.client().cancel(request(key, { reason: '“Serviço” não prestado — 😀 <fim>' }))
    expect(cancelled).toMatchObject({ outcome: 'cancelled', at: NOW })
    const body: Record<string, string> = JSON.parse(world.standIn.bodies.at(-1) ?? '')
    const sent = unpacked(body['pedidoRegistroEventoXmlGZipB64'] ?? '') ?? ''
    expect(sent).toContain(
      `<infPedReg Id="PRE${key}101101"><tpAmb>2</tpAmb><verAplic>Titular</verAplic><dhEvento>2026-11-20T15:00:00-03:00</dhEvento>` +
        `<CNPJAutor>${PROVIDER.taxId}</CNPJAutor><chNFSe>${key}</chNFSe><e101101><xDesc>Cancelamento de NFS-e</xDesc>` +
        '<cMotivo>1</cMotivo><xMotivo>"Serviço" não prestado - &lt;fim&gt;</xMotivo></e101101></infPedReg><Signature ',
    )
  })
  it('works for a CNPJ with letters', async () => {
    const key = await issued({ provider: LETTERS })
    expect(await world.client().cancel(request(key, { provider: LETTERS }))).toMatchObject({ outcome: 'cancelled' })
  })
  it('of a cancelled tax invoice is a success, with the event that cancelled it', async () => {
    const key = await issued()
    const first = await world.client().cancel(request(key))
    expect(await world.client().cancel(request(key, { reasonCode: '2', reason: 'Serviço não prestado' }))).toEqual(
      first,
    )
    expect(world.standIn.requests.slice(-1)).toEqual([`GET /nfse/${key}/eventos/101101/1`])
  })
  it('of a replaced tax invoice is a success, too', async () => {
    const key = await issued()
    const replaces = { accessKey: key, reasonCode: '99', reason: 'Descrição errada do serviço' }
    await issued({ replaces })
    expect(await world.client().cancel(request(key))).toMatchObject({
      outcome: 'cancelled',
      xml: expect.stringContaining('Cancelamento de NFS-e por Substituição'),
    })
    await expect(issued({ replaces })).rejects.toThrow(/E0840/)
  })
  it.each<[string, Behaviour]>([
    ['is lost', 'lose'],
    ['is cut off', 'cut'],
    ['comes too late', 'late'],
  ])('whose answer %s is unclear, and succeeds when repeated', async (_what, behaviour) => {
    const key = await issued()
    world.standIn.once('POST', behaviour)
    const client = behaviour === 'hang' || behaviour === 'late' ? impatient() : world.client()
    await expect(client.cancel(request(key))).rejects.toBeInstanceOf(TaxAnswerUnclear)
    expect(await world.client().cancel(request(key))).toMatchObject({ outcome: 'cancelled' })
  })
  it.each<[string, Behaviour]>([
    ['502', { status: 502, body: '{"erro":"Bad Gateway"}' }],
    ['400 without a reason', { status: 400, body: '{}' }],
    ['201 without the event', { status: 201, body: '{}' }],
    ['hang', 'hang'],
  ])('is unclear after a %s', async (_what, behaviour) => {
    const key = await issued()
    world.standIn.once('POST', behaviour)
    const client = behaviour === 'hang' || behaviour === 'late' ? impatient() : world.client()
    await expect(client.cancel(request(key))).rejects.toBeInstanceOf(TaxAnswerUnclear)
  })
  it('is refused with the authority’s code when the tax invoice stays valid', async () => {
    const key = await issued()
    for (const erro of [{ codigo: 'E0822', descricao: 'Prazo' }, [{ codigo: 'E0822', descricao: 'Prazo' }]]) {
      world.standIn.once('POST', { status: 400, body: JSON.stringify({ erro }) })
      expect(await world.client().cancel(request(key))).toEqual({
        outcome: 'refused',
        problems: [{ code: 'E0822', message: 'Prazo', detail: null }],
      })
    }
  })
  it('is not refused while the events cannot be read', async () => {
    const key = await issued()
    await world.client().cancel(request(key))
    world.standIn.once('GET', { status: 500, body: '' })
    await expect(world.client().cancel(request(key))).rejects.toBeInstanceOf(TaxAuthorityUnavailable)
  })
  it('ignores an event of another tax invoice', async () => {
    const [one, other] = [await issued(), await issued()]
    const event = await world.client().cancel(request(one))
    const body = { eventoXmlGZipB64: gzipSync(event.outcome === 'cancelled' ? event.xml : '').toString('base64') }
    world.standIn.once('POST', { status: 201, body: JSON.stringify(body) })
    await expect(world.client().cancel(request(other))).rejects.toBeInstanceOf(TaxAnswerUnclear)
  })
  it('of an unknown tax invoice, by another provider, or without a reason is refused', async () => {
    const key = await issued()
    const other = '35503082211222333000181000000000000726111234567892'
    expect(await world.client().cancel(request(other))).toMatchObject(refusal('E0819'))
    expect(await world.client().cancel(request(key, { provider: LETTERS }))).toMatchObject(refusal('E0822'))
    world.standIn.requests.splice(0)
    expect(await world.client().cancel(request(key, { reason: '😀'.repeat(40) }))).toMatchObject(refusal('REASON'))
    expect(await world.client().cancel(request(`${key.slice(0, 49)}x`))).toMatchObject(refusal('ACCESS_KEY'))
    expect(world.standIn.requests).toEqual([])
  })
})
