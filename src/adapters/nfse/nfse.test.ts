// The national NFS-e over real mutual TLS, with a stand-in that verifies signatures itself and fails in every way.
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TaxAnswerUnclear, TaxAuthorityUnavailable } from '#ports/tax-authority.ts'
import { taxAuthorityContract } from '#ports/tax-authority.contract.ts'
import { makeCertificate } from '#test/scenes/nfse-certificates.ts'
import { LETTERS, PROFILE, PROVIDER, declaration } from '#test/scenes/nfse-fixtures.ts'
import type { Behaviour } from '#test/stand-ins/nfse.ts'
import { NOW, type NfseWorld, certificateOf, nfseWorld } from '#test/scenes/nfse-world.ts'
import { until } from '#test/harness/until.ts'
import { isAccessKey } from './identifiers.ts'

let world: NfseWorld
let number = 100
beforeAll(async () => void (world = await nfseWorld()))
afterAll(() => world.close())
beforeEach(() => void world.standIn.requests.splice(0))

const next = (more = {}) => declaration({ number: number++, ...more })
const prepared = (more = {}) => world.client().prepare(next(more), PROFILE)

/** How many tax invoices the authority has issued for the declaration, by its own answer. */
const issuedFor = async (id: string) => ((await world.client().find(id)) === null ? 0 : 1)

/** For answers that never come: a limit that is long enough to connect on a busy machine. */
const impatient = () => world.client({ timeoutMs: 2_000 })

taxAuthorityContract('the national NFS-e', PROFILE, () => ({ authority: world.client(), declaration: next, now: NOW }))

describe('issue', () => {
  it('gives number, access key and the signed document', async () => {
    const what = await prepared()
    const issued = await world.client().issue(what)
    if (issued.outcome !== 'issued') throw new Error(JSON.stringify(issued))
    expect(issued).toMatchObject({ issuedAt: NOW, verificationCode: null, issAmount: '35.80' })
    expect(isAccessKey(issued.accessKey)).toBe(true)
    expect(issued.accessKey).toContain(`2${PROVIDER.taxId}${issued.number.padStart(13, '0')}2611`)
    expect(issued.xml).toContain(what.xml.slice(what.xml.indexOf('<infDPS'), what.xml.indexOf('</infDPS>')))
    expect(world.standIn.requests).toEqual(['POST /nfse'])
  })
  it('keeps the letters of a CNPJ', async () => {
    const issued = await world.client().issue(await prepared({ provider: LETTERS }))
    expect(issued).toMatchObject({ outcome: 'issued', accessKey: expect.stringContaining(`2${LETTERS.taxId}`) })
  })
  it('signs with SHA-1 where the configuration says so', async () => {
    const client = world.client({ signature: 'sha1' })
    const what = await client.prepare(next(), PROFILE)
    expect(what.xml).toContain('rsa-sha1')
    expect(await client.issue(what)).toMatchObject({ outcome: 'issued' })
  })
  it('the declaration’s id has municipality, provider, series and number', async () => {
    const { id } = await world.client().prepare(declaration(), PROFILE)
    expect(id).toBe('DPS355030821122233300018100001000000000000042')
  })
  it('gives the authority’s refusals with code and message', async () => {
    const broken = await prepared()
    const xml = broken.xml.replace('<vServ>1234.50</vServ>', '<vServ>0001.50</vServ>')
    expect(await world.client().issue({ ...broken, xml })).toEqual({
      outcome: 'refused',
      problems: [{ code: 'E0714', message: 'Arquivo enviado com erro na assinatura.', detail: 'the digest differs' }],
    })
    const later = await prepared({ declaredAt: new Date('2026-11-20T19:00:00Z') })
    expect(await world.client().issue(later)).toMatchObject({ outcome: 'refused', problems: [{ code: 'E0008' }] })
    const production = await world.client({ environment: 'production' }).prepare(next(), PROFILE)
    expect(await world.client().issue(production)).toMatchObject({ problems: [{ code: 'E0006' }] })
  })
  it('is refused with the signature of another document', async () => {
    const [one, other] = [await prepared(), await prepared()]
    const signature = other.xml.slice(other.xml.indexOf('<Signature'))
    const xml = one.xml.slice(0, one.xml.indexOf('<Signature')) + signature
    expect(await world.client().issue({ ...one, xml })).toMatchObject({
      outcome: 'refused',
      problems: [{ code: 'E0714' }],
    })
  })
  it('of another service under a used number is refused', async () => {
    const mine = next()
    await world.client().issue(await world.client().prepare(mine, PROFILE))
    const other = await world.client().prepare({ ...mine, amount: '9.99' }, PROFILE)
    expect(await world.client().issue(other)).toMatchObject({
      outcome: 'refused',
      problems: [{ code: 'NUMBER_TAKEN' }],
    })
  })
})

describe('a request without a clear answer', () => {
  it.each<[string, Behaviour]>([
    ['is lost', 'lose'],
    ['is cut off', 'cut'],
    ['comes too late', 'late'],
  ])('and %s: it is unclear, and asking finds the one that was issued', async (_what, behaviour) => {
    const what = await prepared()
    world.standIn.once('POST', behaviour)
    const client = behaviour === 'late' ? impatient() : world.client()
    await expect(client.issue(what)).rejects.toBeInstanceOf(TaxAnswerUnclear)
    const found = await until(() => world.client().find(what.id))
    expect(found).toMatchObject({ outcome: 'issued', issuedAt: NOW })
    expect(await world.client().issue(what)).toEqual(found)
  })
  it('that hangs is unclear, finds nothing, and the same number is issued later', async () => {
    const what = await prepared()
    world.standIn.once('POST', 'hang')
    await expect(impatient().issue(what)).rejects.toBeInstanceOf(TaxAnswerUnclear)
    expect(await world.client().find(what.id)).toBeNull()
    expect(await world.client().issue(what)).toMatchObject({ outcome: 'issued' })
    expect(await issuedFor(what.id)).toBe(1)
  })
  it.each<[string, Behaviour]>([
    ['a proxy’s 502', { status: 502, body: '{"erro":"Bad Gateway"}' }],
    ['a 500', { status: 500, body: '{"erros":[{"codigo":"E9999","descricao":"Erro"}]}' }],
    ['a 503', { status: 503, body: '' }],
    ['a 400 without a code', { status: 400, body: '{"erro":"Bad Request"}' }],
    ['a 400 with an empty list', { status: 400, body: '{"erros":[]}' }],
    ['a page', { status: 200, body: '<html>' }],
    ['a 201 without the document', { status: 201, body: '{"chaveAcesso":"1"}' }],
    ['a 201 with garbage', { status: 201, body: '{"nfseXmlGZipB64":"!!!!"}' }],
    ['a redirect', { status: 307, body: '' }],
    ['too much', { status: 201, body: JSON.stringify({ x: 'y'.repeat(2 ** 21) }) }],
    [
      'a bomb',
      { status: 201, body: JSON.stringify({ nfseXmlGZipB64: gzipSync(Buffer.alloc(2 ** 25)).toString('base64') }) },
    ],
  ])('because of %s: it is unclear', async (_what, behaviour) => {
    const what = await prepared()
    world.standIn.once('POST', behaviour)
    await expect(world.client().issue(what)).rejects.toBeInstanceOf(TaxAnswerUnclear)
    expect(await world.client().find(what.id)).toBeNull()
  })
  it.each([401, 403, 429])('is unavailable after a %i', async (status) => {
    const what = await prepared()
    world.standIn.once('POST', { status, body: '' })
    await expect(world.client().issue(what)).rejects.toBeInstanceOf(TaxAuthorityUnavailable)
  })
  it.each([
    ['https://127.0.0.1:9', 'a closed port'],
    ['https://nowhere.invalid', 'there is no such name'],
  ])('from %s: it is unavailable', async (baseUrl) => {
    const what = await prepared()
    await expect(world.client({ baseUrl }).issue(what)).rejects.toBeInstanceOf(TaxAuthorityUnavailable)
    await expect(world.client({ baseUrl }).find(what.id)).rejects.toBeInstanceOf(TaxAuthorityUnavailable)
  })
  it('is refused with an error list in any of its shapes', async () => {
    const one = { Codigo: 'E0038', Descricao: 'Município\nnão ativo', Complemento: 'x'.repeat(9000) }
    for (const body of [
      { erros: [one] },
      { erro: [one] },
      { erro: one },
      { erro: one, erros: [] },
      { Erros: [one, 7, {}] },
    ]) {
      world.standIn.once('POST', { status: 400, body: JSON.stringify(body) })
      const refused = await world.client().issue(await prepared())
      expect(refused).toMatchObject({
        outcome: 'refused',
        problems: [{ code: 'E0038', message: 'Município não ativo' }],
      })
      expect(refused.outcome === 'refused' && refused.problems[0]?.detail?.length).toBe(2000)
    }
  })
})

const changed =
  (change: (xml: string) => string): Behaviour =>
  (answer) => {
    const body: Record<string, string> = JSON.parse(answer)
    const xml = change(unzipped(body['nfseXmlGZipB64'] ?? ''))
    return { status: 201, body: JSON.stringify({ ...body, nfseXmlGZipB64: gzipSync(xml).toString('base64') }) }
  }

describe('a changed document', () => {
  it.each<[string, (xml: string) => string]>([
    ['another amount', (xml) => xml.replace('<vLiq>1234.50</vLiq>', '<vLiq>1.00</vLiq>')],
    ['no signature', (xml) => xml.replaceAll(/<Signature.*?<\/Signature>/gs, '')],
    ['another access key', (xml) => xml.replace(/Id="NFS(\d{49})\d"/, (_all, key) => `Id="NFS${key}X"`)],
    ['another declaration', (xml) => xml.replace(/Id="DPS\d{40}/, (id) => id.replace('DPS3', 'DPS4'))],
    ['a document type', (xml) => xml.replace('<NFSe', '<!DOCTYPE x [<!ENTITY e "e">]><NFSe')],
    ['half of it', (xml) => xml.slice(0, xml.length / 2)],
    ['nothing', () => ''],
  ])('%s: it is unclear', async (_what, change) => {
    const what = await prepared()
    world.standIn.once('POST', changed(change))
    await expect(world.client().issue(what)).rejects.toBeInstanceOf(TaxAnswerUnclear)
    // `find` gives the real state.
    expect(await world.client().find(what.id)).toMatchObject({ outcome: 'issued' })
  })
})

describe('find', () => {
  it('is null for an unknown declaration', async () => {
    const { id } = await prepared()
    expect(await world.client().find(id)).toBeNull()
    expect(world.standIn.requests).toEqual([`GET /dps/${id}`])
  })
  it.each<[string, Behaviour]>([
    ['breaks off', 'lose'],
    ['hangs', 'hang'],
    ['answers 500', { status: 500, body: '{}' }],
    ['does not know its own address', { status: 404, body: '<html>Not Found</html>' }],
    ['answers garbage', { status: 200, body: '{"chaveAcesso":"1"}' }],
    ['shuts us out', { status: 403, body: '' }],
  ])('never says that there is none when the authority %s', async (_what, behaviour) => {
    const what = await prepared()
    await world.client().issue(what)
    world.standIn.once('GET', behaviour)
    const client = behaviour === 'hang' ? impatient() : world.client()
    await expect(client.find(what.id)).rejects.toBeInstanceOf(TaxAuthorityUnavailable)
  })
  it('finds after a restart of the authority', async () => {
    const what = await prepared()
    const issued = await world.client().issue(what)
    await world.restart()
    expect(await world.client().find(what.id)).toEqual(issued)
    const following = await world.client().issue(await prepared())
    expect(following).toMatchObject({ number: String(Number(issued.outcome === 'issued' && issued.number) + 1) })
  })
  it('uses the configured paths', async () => {
    const { id } = await prepared()
    const paths = { declaration: '/municipal/{id}/dps' }
    await expect(world.client({ paths }).find(id)).resolves.toBeNull()
    expect(world.standIn.requests).toEqual([`GET /municipal/${id}/dps`])
  })
})

describe('mutual TLS', () => {
  it('with a certificate of another authority fails, and says so', async () => {
    const other = certificateOf(makeCertificate({ name: 'Estranho' }))
    const what = await prepared()
    const client = world.client({ certificate: () => Promise.resolve(other) })
    const failure = await client.issue(what).catch((error: unknown) => error)
    // Under TLS 1.3 the refusal may come after the request was sent, so that both errors are possible.
    expect(failure instanceof TaxAuthorityUnavailable || failure instanceof TaxAnswerUnclear).toBe(true)
    expect(world.standIn.requests).toEqual([])
    expect(await issuedFor(what.id)).toBe(0)
  })
  it('sends nothing to a server with an untrusted certificate', async () => {
    const what = await prepared()
    await expect(world.client({ ca: null }).issue(what)).rejects.toBeInstanceOf(TaxAuthorityUnavailable)
    const other = makeCertificate({ name: 'Outra AC', isAuthority: true }).certificatePem
    await expect(world.client({ ca: other }).find(what.id)).rejects.toBeInstanceOf(TaxAuthorityUnavailable)
    expect(world.standIn.requests).toEqual([])
  })
  it('sends nothing with an expired certificate', async () => {
    const late = world.client({ now: () => new Date('2049-01-02T00:00:00Z') })
    await expect(late.prepare(next(), PROFILE)).rejects.toThrow(/expired on 2049-01-01/)
    await expect(late.prepare(next(), PROFILE)).rejects.toBeInstanceOf(TaxAuthorityUnavailable)
  })
})

const unzipped = (text: string): string => gunzipSync(Buffer.from(text, 'base64')).toString('utf8')
