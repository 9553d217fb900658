// The municipal parameters over real mutual TLS: the system's answers, and everything that is none.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { municipalParametersContract } from '#ports/municipal-parameters.contract.ts'
import { TaxAuthorityUnavailable } from '#ports/tax-authority.ts'
import { makeCertificate } from '#test/scenes/nfse-certificates.ts'
import { certificateOf, NOW, type NfseWorld, nfseWorld } from '#test/scenes/nfse-world.ts'
import type { Behaviour } from '#test/stand-ins/nfse.ts'
import { createMunicipalParameters, type MunicipalParametersOptions } from './municipal-parameters.ts'
import { usable } from './usable-certificate.ts'

let world: NfseWorld
const clients: { close(): Promise<void> }[] = []
beforeAll(async () => void (world = await nfseWorld()))
beforeEach(() => void world.standIn.requests.splice(0))
afterAll(async () => {
  for (const one of clients) await one.close()
  await world.close()
})

function client(more: Partial<MunicipalParametersOptions> = {}) {
  const { authority, taxpayer } = world.certificates
  const made = createMunicipalParameters({
    baseUrl: `${world.standIn.url}/parametrizacao`,
    certificate: async () => usable(certificateOf(taxpayer), NOW),
    ca: authority.certificatePem,
    ...more,
  })
  clients.push(made)
  return made
}

const AGREEMENT = { municipality: '3550308', service_code: '', competence: '2026-11-20' }
const RATE = { ...AGREEMENT, service_code: '010701000' }

municipalParametersContract('the national NFS-e', () => ({
  port: client(),
  municipalities: { with: '3550308', without: '9999999' },
  codes: { with: '010701000', without: '010701001' },
  competence: '2026-11-20',
}))

/** What is read of a 200 with this body. */
async function read(question: typeof RATE, body: object) {
  world.standIn.once('GET', { status: 200, body: JSON.stringify(body) })
  return client().ask(question)
}
const rates = (...list: object[]) => ({ aliquotas: { '01.07.01.000': list }, mensagem: 'ok' })
const from = (DtIni: string, DtFim: string | null = null, Aliq: unknown = 5) => ({
  Incidencia: 'SIM',
  Aliq,
  DtIni,
  DtFim,
})

describe('a question', () => {
  it('goes to the paths of the system, with the code in dots and the day in ISO', async () => {
    await client().ask(AGREEMENT)
    await client().ask(RATE)
    expect(world.standIn.requests).toEqual([
      'GET /parametrizacao/3550308/convenio',
      'GET /parametrizacao/3550308/01.07.01.000/2026-11-20/aliquota',
    ])
  })
  it('is not sent with a certificate that is expired, and has no answer without the right one', async () => {
    const { taxpayer } = world.certificates
    const expired = async () => usable(certificateOf(taxpayer), new Date('2090-01-01'))
    await expect(client({ certificate: expired }).ask(AGREEMENT)).rejects.toThrow(/The certificate expired on/)
    expect(world.standIn.requests).toEqual([])
    const stranger = certificateOf(makeCertificate({ name: 'X' }))
    const certificate = () => Promise.resolve(stranger)
    await expect(client({ certificate }).ask(AGREEMENT)).rejects.toBeInstanceOf(TaxAuthorityUnavailable)
  })
})

describe('an answer', () => {
  it('about an agreement: 1 is yes, 0 no, anything else not said; spelling does not matter', async () => {
    const agreement = { aderenteAmbienteNacional: 1, aderenteEmissorNacional: 0 }
    expect(await read(AGREEMENT, { parametrosConvenio: agreement })).toMatchObject({
      outcome: 'published',
      national_environment: true,
      national_issuer: false,
      message: null,
    })
    const other = { AderenteAmbienteNacional: -1, aderenteEmissorNacional: true }
    expect(await read(AGREEMENT, { ParametrosConvenio: other })).toMatchObject({
      national_environment: null,
      national_issuer: true,
    })
  })
  it('about a rate: the one of the day, the latest of several, with two digits', async () => {
    const past = from('2020-01-01T00:00:00', '2026-11-19T00:00:00', 2)
    const today = from('2026-11-20T00:00:00', '2026-11-20T00:00:00', 2.9)
    const coming = from('2026-11-21T00:00:00', null, 4)
    expect(await read(RATE, rates(coming, past, today))).toMatchObject({
      rate: '2.90',
      valid_from: '2026-11-20',
      valid_until: '2026-11-20',
    })
    expect(await read(RATE, rates(from('2020-01-01'), from('2026-01-01', null, 2.79)))).toMatchObject({ rate: '2.79' })
    expect(await read(RATE, rates(past, coming)), 'none on the day').toMatchObject({ outcome: 'none', rate: null })
    expect(await read(RATE, { aliquotas: { '01.07.02.000': [today] } }), 'of another code').toMatchObject({
      outcome: 'none',
    })
  })
  it('about a service that is not levied, or without a rate', async () => {
    const free = { ...from('2026-01-01', null, null), Incidencia: 'NÃO' }
    expect(await read(RATE, rates(free))).toMatchObject({ outcome: 'published', levied: false, rate: null })
    expect(await read(RATE, rates({ ...free, Incidencia: null }))).toMatchObject({ levied: null })
  })
  it.each<[string, Behaviour]>([
    ['a refusal of the connection', { status: 403, body: '{"mensagem":"Acesso negado"}' }],
    ['a failure', { status: 500, body: '{"mensagem":"Erro"}' }],
    ['a proxy’s 404', { status: 404, body: '<html>Not Found</html>' }],
    ['a proxy’s 404 in JSON', { status: 404, body: '{"erro":"Not Found"}' }],
    ['a 200 without its field', { status: 200, body: '{"mensagem":"ok"}' }],
    ['a 200 without content', { status: 200, body: '' }],
    ['a redirect', { status: 302, body: '{"aliquotas":{},"mensagem":"ok"}' }],
    ['a rate with three digits', { status: 200, body: JSON.stringify(rates(from('2026-01-01', null, 2.125))) }],
    ['a rate in words', { status: 200, body: JSON.stringify(rates(from('2026-01-01', null, '2,9'))) }],
    ['a negative rate', { status: 200, body: JSON.stringify(rates(from('2026-01-01', null, -1))) }],
    ['a day that is none', { status: 200, body: JSON.stringify(rates(from('2026-02-30'))) }],
    ['an end that is none', { status: 200, body: JSON.stringify(rates(from('2026-01-01', 'x'))) }],
    ['more than is kept', { status: 200, body: JSON.stringify({ ...rates(), mensagem: 'x'.repeat(20_000) }) }],
    ['half an answer', 'cut'],
  ])('that is %s is none', async (_what, behaviour) => {
    world.standIn.once('GET', behaviour)
    await expect(client().ask(RATE)).rejects.toBeInstanceOf(TaxAuthorityUnavailable)
  })
  it('that never comes is none', async () => {
    world.standIn.once('GET', 'hang')
    await expect(client({ timeoutMs: 2_000 }).ask(RATE)).rejects.toBeInstanceOf(TaxAuthorityUnavailable)
  })
})
