// Proofs looked for over real DNS and HTTP, with a name server and a web server on the loopback that tell what a test wants.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { proofOf, type SiteProofs } from '#ports/site-proofs.ts'
import { siteProofsContract } from '#ports/site-proofs.contract.ts'
import { listen } from '#test/harness/listen.ts'
import { makeCertificate, type TestCertificate } from '#test/scenes/nfse-certificates.ts'
import { addressRecord, type NameServer, startNameServer, txt } from '#test/stand-ins/name-server.ts'
import { createSiteProofs, type SiteProofOptions } from './site-proofs.ts'

const DOMAIN = 'shop.acme.example'
const RECORD = `_titular-challenge.${DOMAIN}`
const PATH = '/.well-known/titular-verification.txt'
const PROOF = proofOf('of-this-site')
/** Where nothing listens. */
const CLOSED = 9

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const says =
  (text: string): Answer =>
  (_request, response) =>
    void response.end(text)
const status =
  (code: number, headers = {}): Answer =>
  (_request, response) =>
    void response.writeHead(code, headers).end('no')

let names: NameServer
const cleanup: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  names = await startNameServer()
  cleanup.push(() => names.close())
})
afterEach(async () => {
  for (const step of cleanup.splice(0).toReversed()) await step()
})

/** A web server for the domain; the requests that reached it. */
async function web(answer: Answer, host = DOMAIN): Promise<{ http: number; requests: string[] }> {
  const requests: string[] = []
  const { url, close } = await listen((request, response) => {
    requests.push(`${request.method} ${request.headers.host?.replace(/:\d+$/, '')}${request.url}`)
    answer(request, response)
  })
  cleanup.push(close)
  at(host, '127.0.0.1')
  return { http: Number(new URL(url).port), requests }
}

function at(host: string, ...addresses: string[]): void {
  for (const [key, records] of addressRecord(host, ...addresses)) names.zone.set(key, records)
}

const alias = (name: string, data: string) => ({ type: 'CNAME' as const, name, ttl: 0, data })

const proofs = (http = CLOSED, more: Partial<SiteProofOptions> = {}): SiteProofs =>
  createSiteProofs({ nameServers: [names.address], loopback: true, ports: { https: CLOSED, http }, ...more })

siteProofsContract('DNS and HTTP', async (published) => {
  if (published === 'no answer') {
    for (const key of [`${RECORD} TXT`, `${DOMAIN} A`, `${DOMAIN} AAAA`]) names.zone.set(key, 'silent')
    return proofs(CLOSED, { timeoutMs: 600 })
  }
  const { txt: record = null, file = null } = published === 'nothing' ? {} : published
  if (record !== null) names.zone.set(...txt(RECORD, record))
  const { http } = await web(file === null ? status(404) : says(file))
  return proofs(http)
})

describe('the TXT record', () => {
  const dns = async () => (await proofs().find(DOMAIN, PROOF)).dns
  it('proves among others, with blanks around it, in pieces, and behind an alias', async () => {
    names.zone.set(...txt(RECORD, 'v=spf1 -all', ` ${PROOF} `))
    expect(await dns()).toBe('proven')
    names.zone.set(...txt(RECORD, [PROOF.slice(0, 5), PROOF.slice(5)]))
    expect(await dns()).toBe('proven')
    const [, there] = txt('proofs.agency.example', PROOF)
    names.zone.set(`${RECORD} TXT`, [alias(RECORD, 'proofs.agency.example'), ...there])
    expect(await dns()).toBe('proven')
  })
  it.each([`${PROOF}x`, PROOF.slice(1), PROOF.toUpperCase(), '', `x${PROOF}`])('%j does not', async (value) => {
    names.zone.set(...txt(RECORD, value))
    expect(await dns()).toBe('wrong_value')
  })
  it('proves nothing at the domain itself, nor for another domain', async () => {
    names.zone.set(...txt(DOMAIN, PROOF))
    names.zone.set(...txt('_titular-challenge.acme.example', PROOF))
    expect(await dns()).toBe('not_found')
  })
  it('may come with many others, over TCP', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `${index}`.padEnd(250, 'x'))
    names.zone.set(...txt(RECORD, ...many))
    expect(await dns()).toBe('wrong_value')
    names.zone.set(...txt(RECORD, ...many, PROOF))
    expect(await dns()).toBe('proven')
  })
  it('is unreachable behind a server that fails, and not there where aliases go in a circle', async () => {
    names.zone.set(`${RECORD} TXT`, 2)
    expect(await dns()).toBe('unreachable')
    names.zone.set(`${RECORD} TXT`, [alias(RECORD, 'a.example'), alias('a.example', RECORD)])
    expect(['unreachable', 'not_found']).toContain(await dns())
  })
})

describe('the file', () => {
  it('proves on a line of its own, at its path of the domain', async () => {
    const { http, requests } = await web(says(`# of Acme\r\n${PROOF}\r\n`))
    expect(await proofs(http).find(DOMAIN, PROOF)).toEqual({ dns: 'not_found', file: 'proven' })
    expect(requests).toEqual([`GET ${DOMAIN}${PATH}`])
  })
  it('proves at www. too', async () => {
    const { http } = await web(says(PROOF), `www.${DOMAIN}`)
    expect((await proofs(http).find(DOMAIN, PROOF)).file).toBe('proven')
  })
  it.each<[string, Answer, string]>([
    ['another text', says(`${PROOF}x`), 'wrong_value'],
    ['a page that contains it', says(`<p>${PROOF}</p>`), 'wrong_value'],
    ['nothing', says(''), 'wrong_value'],
    ['403', status(403), 'not_found'],
    ['500', status(500), 'unreachable'],
    ['more than 64 KiB', says(`${'x'.repeat(65_536)}\n${PROOF}`), 'unreachable'],
    [
      'a body that is cut off',
      (_request, response) => void response.write(PROOF, () => response.destroy()),
      'unreachable',
    ],
    [
      'headers without end',
      (_request, response) => void response.writeHead(200, { x: 'y'.repeat(20_000) }).end(PROOF),
      'unreachable',
    ],
  ])('%s is no proof', async (_what, answer, outcome) => {
    const { http } = await web(answer)
    expect((await proofs(http).find(DOMAIN, PROOF)).file).toBe(outcome)
  })
  it.each<[string, Answer]>([
    ['hangs', () => {}],
    [
      'comes slower than the limit',
      (_request, response) => {
        const timer = setInterval(() => response.write(' '), 20)
        response.on('close', () => clearInterval(timer))
      },
    ],
  ])('is unreachable when it %s', async (_what, answer) => {
    const { http } = await web(answer)
    expect((await proofs(http, { timeoutMs: 500 }).find(DOMAIN, PROOF)).file).toBe('unreachable')
  })
  it.each([301, 302, 307, 308])('is not looked for where a %d leads', async (code) => {
    const target = await web(says(PROOF), 'target.example')
    const location = `http://target.example:${target.http}${PATH}`
    const { http } = await web(status(code, { location }))
    expect((await proofs(http).find(DOMAIN, PROOF)).file).toBe('redirected')
    expect(target.requests).toEqual([])
  })
})

describe('the file over HTTPS', () => {
  const authority = makeCertificate({ name: 'Authority', isAuthority: true })
  const before = getCACertificates('default')
  beforeEach(() => setDefaultCACertificates([...before, authority.certificatePem]))
  afterEach(() => setDefaultCACertificates(before))

  async function secured({ keyPem, certificatePem }: TestCertificate) {
    const requests: string[] = []
    const server = createServer({ key: keyPem, cert: certificatePem }, (request, response) => {
      requests.push(request.url ?? '')
      response.end(PROOF)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanup.push(() => new Promise((resolve) => server.close(resolve)))
    at(DOMAIN, '127.0.0.1')
    const address = server.address()
    const https = typeof address === 'object' && address ? address.port : 0
    return { requests, find: () => proofs(CLOSED, { ports: { https, http: CLOSED } }).find(DOMAIN, PROOF) }
  }
  it('proves with a certificate of the domain', async () => {
    const { find, requests } = await secured(makeCertificate({ name: DOMAIN, issuer: authority, domain: DOMAIN }))
    expect((await find()).file).toBe('proven')
    expect(requests).toEqual([PATH])
  })
  it.each<[string, object]>([
    ['of another domain', { issuer: authority, domain: 'other.example' }],
    ['that has run out', { issuer: authority, domain: DOMAIN, validTo: '2021-01-01T00:00:00Z' }],
    ['of an unknown authority', { domain: DOMAIN }],
  ])('is not asked for with a certificate %s', async (_what, wishes) => {
    const { find, requests } = await secured(makeCertificate({ name: DOMAIN, ...wishes }))
    expect((await find()).file).toBe('unreachable')
    expect(requests).toEqual([])
  })
})

describe('an address', () => {
  it.each([
    '127.0.0.1',
    '10.0.0.7',
    '169.254.169.254',
    '0.0.0.0',
    '::1',
    '::ffff:127.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fe80::1',
    'fd00::1',
  ])('%s of the domain is never connected to', async (address) => {
    const { http, requests } = await web(says(PROOF))
    at(DOMAIN, address)
    const guarded = proofs(http, { loopback: false })
    expect((await guarded.find(DOMAIN, PROOF)).file).toBe('unreachable')
    expect(requests).toEqual([])
  })
  it('is the one that was checked, asked for once for each connection', async () => {
    const { http } = await web(says(PROOF))
    expect((await proofs(http).find(DOMAIN, PROOF)).file).toBe('proven')
    // One for https, one for http.
    expect(names.asked.filter((key) => key === `${DOMAIN} A`)).toHaveLength(2)
  })
  it('that changed after a proof is checked anew', async () => {
    const { http, requests } = await web(says(PROOF))
    const open = proofs(http)
    expect((await open.find(DOMAIN, PROOF)).file).toBe('proven')
    at(DOMAIN, '10.0.0.7')
    expect((await proofs(http, { timeoutMs: 500 }).find(DOMAIN, PROOF)).file).toBe('unreachable')
    expect((await open.find(DOMAIN, PROOF)).file).toBe('unreachable')
    expect(requests).toHaveLength(1)
  })
})

describe('many at once', () => {
  it('wait, and beyond that are unreachable without a question', async () => {
    names.zone.set(...txt(RECORD, PROOF))
    const few = proofs(CLOSED, { concurrency: 2 })
    const found = await Promise.all(Array.from({ length: 8 }, () => few.find(DOMAIN, PROOF)))
    expect(found.filter(({ dns }) => dns === 'proven')).toHaveLength(4)
    expect(found.filter(({ dns, file }) => dns === 'unreachable' && file === 'unreachable')).toHaveLength(4)
  })
})
