// Proofs of domains, with a name server and a web server on the loopback.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shifted } from '#test/harness/shifted.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Answer, Organization } from '#test/harness/world.ts'
import { type Listening, listen } from '#test/harness/listen.ts'
import { addressRecord, type NameServer, startNameServer, txt } from '#test/stand-ins/name-server.ts'
import { createSiteProofs } from '../../../adapters/site-proofs/site-proofs.ts'

let app: TestApp
let names: NameServer
let web: Listening
/** Host → its file. */
const files = new Map<string, string>()
let acme: Organization
let other: Organization

beforeAll(async () => {
  names = await startNameServer()
  web = await listen((request, response) => {
    const file = files.get(request.headers.host?.replace(/:\d+$/, '') ?? '')
    response.writeHead(file === undefined ? 404 : 200).end(file)
  })
  // The adapter of the service, but for the ports of the web.
  const ports = { https: 9, http: Number(new URL(web.url).port) }
  const siteProofs = createSiteProofs({ nameServers: [names.address], loopback: true, ports })
  app = await startApp({ ports: { siteProofs } })
  acme = await app.world.organization()
  other = await app.world.organization()
  // The daily job exists from the start; afterwards the tests decide when it runs.
  await app.service.worker.start()
  await app.service.worker.stop()
})
afterAll(async () => {
  await app.close()
  await web.close()
  await names.close()
})

type Listed = { id: number; challenge: { dns_name: string; dns_value: string } }
async function list(domain: string, at = acme): Promise<Listed> {
  const { id, verification } = (await at.owner.post('/sites', { domain })).data
  return { id, challenge: verification.challenge }
}
const publish = (...proofs: Listed[]): void =>
  void names.zone.set(
    ...txt(proofs[0]?.challenge.dns_name ?? '', ...proofs.map(({ challenge }) => challenge.dns_value)),
  )
const withdraw = ({ challenge }: Listed): void => void names.zone.delete(`${challenge.dns_name} TXT`)
const verify = ({ id }: Listed, at = acme): Promise<Answer> => at.owner.post(`/sites/${id}/verify`)
const proofAt = async ({ id }: Listed, at = acme) => {
  const { verification } = (await at.owner.get(`/sites/${id}`)).data
  const { challenge: _challenge, ...rest } = verification
  return rest
}
const actions = async ({ id }: Listed, at = acme) =>
  (await at.owner.get(`/audit-log?resource=site&per_page=100`)).data
    .filter(({ resource_id }: { resource_id: number }) => resource_id === id)
    .map(({ action }: { action: string }) => action)
    .toReversed()

/** The clock cannot go so far, since tokens would end. */
const aDay = async (seconds = 86_400) => {
  await app.database.query(
    `update sites set proof_checked_at = ${shifted('proof_checked_at', '- make_interval(secs => $1)')},
            proof_seen_at = ${shifted('proof_seen_at', '- make_interval(secs => $1)')}`,
    [seconds],
  )
  await app.database.query(`update jobs set run_at = $1 where kind = 'sites/check-proofs'`, [app.clock.now])
  await app.service.worker.drain()
}
/** Each organization's site of the domain. */
const both = async (domain: string) => [await list(domain), await list(domain, other)] as const
const timesAsked = (domain: string) => names.asked.filter((key) => key.includes(`${domain} TXT`)).length

describe('POST /sites/{id}/verify', () => {
  it('200 with what was found; verified once the record is there', async () => {
    const site = await list('bücher.example')
    expect(site.challenge.dns_name).toBe('_titular-challenge.xn--bcher-kva.example')
    const absent = await verify(site)
    expect(absent).toMatchObject({ status: 200, message: 'No proof was found' })
    const looked = { method: null, verified_at: null, checked_at: app.clock.now.toISOString() }
    expect(absent.data.verification).toMatchObject({ status: 'unverified', ...looked })
    expect(absent.data.found).toEqual({ dns: 'not_found', file: 'unreachable' })
    names.zone.set(...txt(site.challenge.dns_name, 'titular-challenge=another'))
    expect((await verify(site)).data.found.dns).toBe('wrong_value')
    publish(site)
    const proven = await verify(site)
    expect(proven).toMatchObject({ status: 200, message: 'The domain is proven', data: { found: { dns: 'proven' } } })
    const at = app.clock.now.toISOString()
    expect(await proofAt(site)).toEqual({ status: 'verified', method: 'dns', verified_at: at, checked_at: at })
    expect((await acme.owner.get('/sites?verified=true')).data.map(({ id }: Listed) => id)).toEqual([site.id])
    await verify(site)
    expect(await actions(site)).toEqual(['created', 'verified'])
  })
  it('200 verified by the file, and then by what is left of the two', async () => {
    const site = await list('https://WWW.files.example')
    for (const entry of addressRecord('www.files.example', '127.0.0.1')) names.zone.set(...entry)
    expect((await verify(site)).data.found).toEqual({ dns: 'not_found', file: 'not_found' })
    files.set('www.files.example', `${site.challenge.dns_value}\n`)
    expect((await verify(site)).data.verification).toMatchObject({ status: 'verified', method: 'file' })
    publish(site)
    expect((await verify(site)).data.verification.method).toBe('file')
    files.delete('www.files.example')
    expect((await verify(site)).data.verification).toMatchObject({ status: 'verified', method: 'dns' })
    withdraw(site)
    expect((await verify(site)).data.verification).toMatchObject({ status: 'lapsed', method: 'dns' })
    expect(await actions(site)).toEqual(['created', 'verified', 'updated', 'lapsed'])
  })
  it('200 unverified with the challenge of another organization’s site of the domain', async () => {
    const theirs = await list('borrowed.example', other)
    const ours = await list('borrowed.example')
    publish(theirs)
    expect((await verify(ours)).data).toMatchObject({
      verification: { status: 'unverified' },
      found: { dns: 'wrong_value' },
    })
  })
  it('404 for a site that is removed while the proof is looked for', async () => {
    const site = await list('vanishing.example')
    const [verified] = await Promise.all([verify(site), acme.owner.delete(`/sites/${site.id}`)])
    expect([200, 404]).toContain(verified.status)
  })
  it('one event of sixteen at once', async () => {
    const site = await list('busy.example')
    publish(site)
    const answers = await Promise.all(Array.from({ length: 16 }, () => verify(site)))
    expect(answers.every(({ data }) => data.verification.status === 'verified')).toBe(true)
    expect(await actions(site)).toEqual(['created', 'verified'])
  })
  it('403 without the scope, 401 without credentials', async () => {
    const site = await list('closed.example')
    const stranger = await acme.member({ scopes: ['licenses', 'quotes'] })
    expect((await stranger.post(`/sites/${site.id}/verify`)).status).toBe(200)
    const reader = await acme.member({ scopes: ['quotes'] })
    expect((await reader.post(`/sites/${site.id}/verify`)).status).toBe(403)
    expect((await app.world.anonymous.post(`/sites/${site.id}/verify`)).status).toBe(401)
  })
})

describe('the daily look', () => {
  it('keeps a proof that is there and tells when it was looked at', async () => {
    const site = await list('kept.example')
    publish(site)
    await verify(site)
    const { verified_at } = await proofAt(site)
    await aDay(86_399)
    expect(timesAsked('kept.example')).toBe(1)
    await aDay(1)
    expect(timesAsked('kept.example')).toBe(2)
    const now = app.clock.now.toISOString()
    expect(await proofAt(site)).toEqual({ status: 'verified', method: 'dns', verified_at, checked_at: now })
    expect(await actions(site)).toEqual(['created', 'verified'])
  })
  it('shows a lost proof, and says in the audit log why', async () => {
    const site = await list('lost.example')
    publish(site)
    await verify(site)
    withdraw(site)
    await aDay()
    expect(await proofAt(site)).toMatchObject({ status: 'lapsed', method: 'dns' })
    const [entry] = (await acme.owner.get('/audit-log?resource=site&action=lapsed')).data
    expect(entry).toMatchObject({ resource_id: site.id, reason: 'DNS: not_found; file: unreachable' })
    publish(site)
    await verify(site)
    expect(await proofAt(site)).toMatchObject({ status: 'verified', verified_at: app.clock.now.toISOString() })
  })
  it('waits three days for a name server that does not answer', async () => {
    const site = await list('patient.example')
    publish(site)
    await verify(site)
    names.zone.set(`${site.challenge.dns_name} TXT`, 2)
    for (const status of ['verified', 'verified', 'lapsed']) {
      await aDay()
      expect((await proofAt(site)).status).toBe(status)
    }
  })
  it('passes over a deleted organization', async () => {
    const gone = await app.world.organization()
    const site = await list('gone.example', gone)
    publish(site)
    await verify(site, gone)
    await gone.owner.delete(`/organizations/${gone.id}`)
    const before = names.asked.length
    await aDay()
    expect(names.asked.slice(before).filter((key) => key.includes('gone.example'))).toEqual([])
  })
})

describe('two organizations with one domain', () => {
  it('the later proof counts; the earlier one lapses, and neither is told of the other', async () => {
    const [ours, theirs] = await both('sold.example')
    publish(ours, theirs)
    await verify(ours)
    app.clock.advance(1)
    const { data, message } = await verify(theirs, other)
    expect(data.verification.status).toBe('verified')
    expect(message).toBe('The domain is proven')
    await app.service.worker.drain()
    expect((await proofAt(ours)).status).toBe('lapsed')
    expect((await proofAt(theirs, other)).status).toBe('verified')
    const texts = [await acme.owner.get(`/sites/${ours.id}`), await acme.owner.get('/audit-log?resource=site')]
    for (const { raw } of texts) expect(raw.body).not.toContain(other.name)
    const [entry] = (await acme.owner.get('/audit-log?resource=site&action=lapsed')).data
    expect(entry).toMatchObject({ resource_id: ours.id, reason: null })
    app.clock.advance(1)
    await verify(ours)
    await app.service.worker.drain()
    expect([(await proofAt(ours)).status, (await proofAt(theirs, other)).status]).toEqual(['verified', 'lapsed'])
  })
  it('at once: one is left, whichever', async () => {
    for (let round = 0; round < 10; round++) {
      const [ours, theirs] = await both(`race-${round}.example`)
      publish(ours, theirs)
      await Promise.all([verify(ours), verify(theirs, other), app.service.worker.drain()])
      await app.service.worker.drain()
      const left = [(await proofAt(ours)).status, (await proofAt(theirs, other)).status]
      expect(new Set(left)).toEqual(new Set(['lapsed', 'verified']))
    }
  })
  it('a proof that is given anew before the job of the later one stays', async () => {
    const [ours, theirs] = await both('again.example')
    publish(ours, theirs)
    await verify(ours)
    app.clock.advance(1)
    await verify(theirs, other)
    withdraw(ours)
    await verify(ours)
    publish(ours, theirs)
    app.clock.advance(1)
    await verify(ours)
    await app.service.worker.drain()
    expect([(await proofAt(ours)).status, (await proofAt(theirs, other)).status]).toEqual(['verified', 'lapsed'])
  })
})
