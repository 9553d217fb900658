import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Answer, Organization } from '#test/harness/world.ts'
import { license } from '#test/scenes/licenses.ts'

let app: TestApp
let acme: Organization

beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
})
afterAll(() => app.close())

const report = (license_key: unknown, domain: unknown, more: object = {}): Promise<Answer> =>
  app.world.anonymous.post('/sites/report', { license_key, domain, version: '1.0.0', ...more })
const activate = (id: number, domain: string) => acme.owner.post(`/licenses/${id}/activate`, { domain })
const siteAt = async (domain: string, at = acme) => {
  const [site] = (await at.owner.get(`/sites?search=${domain}`)).data
  return site && (await at.owner.get(`/sites/${site.id}`)).data
}
const rows = () => app.database.query<{ xmin: string }>('select xmin::text, id, version from site_reports order by id')
const lastRow = async () => (await rows()).at(-1)
const written = async () => {
  const [counted] = await app.database.query<{ n: number }>(
    'select (select count(*) from audit_log) + (select count(*) from events) + (select count(*) from jobs) as n',
  )
  return counted?.n
}

describe('POST /sites/report', () => {
  it('200 as for a validation, and the site shows what runs', async () => {
    const { id, license_key } = await license(acme)
    await activate(id, 'a.example')
    const more = { version: '4.2.0', platform: 'wordpress', platform_version: '6.8.1' }
    // Before the job of the activation has run.
    const answer = await report(license_key.toLowerCase().replaceAll('-', ' '), 'https://WWW.A.example:443/', more)
    const known = { product_name: 'Backup Pro', expires_at: null }
    expect(answer).toMatchObject({ status: 200, data: { valid: true, reason: 'activated', ...known } })
    await app.service.worker.drain()
    const last_seen_at = app.clock.now.toISOString()
    const runs = { product_name: 'Backup Pro', license_id: id, is_activated: true, ...more, last_seen_at }
    expect(await siteAt('a.example')).toMatchObject({ ...more, last_seen_at, license_ids: [id], what_runs: [runs] })
    const [item] = (await acme.owner.get(`/sites?license_id=${id}`)).data
    expect(item).toMatchObject({ ...more, last_seen_at })
  })
  it('200 with the reasons of a validation, for keys and domains that are not in order', async () => {
    const { id, license_key: first } = await license(acme)
    await activate(id, 'b.example')
    const { license_key } = (await acme.owner.post(`/licenses/${id}/rotate-key`)).data
    await app.service.worker.drain()
    const before = await rows()
    const nothing = { valid: false, product_name: null, expires_at: null }
    expect((await report(first, 'b.example')).data).toEqual({ ...nothing, reason: 'key_replaced' })
    expect((await report('x', 'b.example')).data).toEqual({ ...nothing, reason: 'unknown_key' })
    expect((await report(license_key, 'nowhere.example')).data).toMatchObject({ valid: false, reason: 'not_activated' })
    expect((await report(license_key, 'localhost')).data).toMatchObject({ valid: true, reason: 'staging' })
    // None of them was about a known site, so nothing was kept.
    expect(await rows()).toEqual(before)
    await acme.staff.post(`/licenses/${id}/suspend`)
    expect((await report(license_key, 'b.example')).data).toMatchObject({ valid: false, reason: 'suspended' })
    expect((await siteAt('b.example')).what_runs).toHaveLength(1)
  })
  it('keeps what runs on a listed site without a slot, and says so to the members only', async () => {
    const { id, license_key } = await license(acme)
    await acme.owner.post('/sites', { domain: 'listed.example', platform: 'drupal' })
    const listed = await report(license_key, 'listed.example', { platform: 'wordpress' })
    const unknown = await report(license_key, 'unlisted.example', { platform: 'wordpress' })
    expect(listed.data).toEqual(unknown.data)
    const { what_runs, platform } = await siteAt('listed.example')
    expect(what_runs).toMatchObject([{ license_id: id, is_activated: false, platform: 'wordpress' }])
    expect(platform, 'as entered').toBe('drupal')
  })
  it('tells and changes nothing of a site of another organization', async () => {
    const other = await app.world.organization()
    const { license_key } = await license(other)
    await acme.owner.post('/sites', { domain: 'foreign.example' })
    const before = await rows()
    expect((await report(license_key, 'foreign.example')).data.reason).toBe('not_activated')
    expect(await rows()).toEqual(before)
    expect((await siteAt('foreign.example')).what_runs).toEqual([])
  })
  it('writes a repeated report once in ten minutes, a new version at once, and never audit, events or jobs', async () => {
    const { id, license_key } = await license(acme)
    await activate(id, 'beat.example')
    await app.service.worker.drain()
    const quiet = await written()
    const began = app.clock.now.toISOString()
    await report(license_key, 'beat.example')
    const first = await lastRow()
    app.clock.advance(599)
    await Promise.all(Array.from({ length: 8 }, () => report(license_key, 'beat.example')))
    expect(await lastRow()).toEqual(first)
    expect((await siteAt('beat.example')).last_seen_at).toBe(began)
    await report(license_key, 'beat.example', { version: '1.0.1' })
    expect(await siteAt('beat.example')).toMatchObject({ version: '1.0.1', last_seen_at: app.clock.now.toISOString() })
    app.clock.advance(600)
    await report(license_key, 'beat.example', { version: '1.0.1' })
    expect((await siteAt('beat.example')).last_seen_at).toBe(app.clock.now.toISOString())
    expect(await written()).toBe(quiet)
  })
  it('one row of sixteen first reports at once', async () => {
    const { id, license_key } = await license(acme)
    await activate(id, 'burst.example')
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) => report(license_key, 'burst.example', { version: `1.${index}` })),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    await app.service.worker.drain()
    expect((await siteAt('burst.example')).what_runs).toHaveLength(1)
  })
  it('goes with the site when it is removed', async () => {
    const { license_key } = await license(acme)
    const { id } = (await acme.owner.post('/sites', { domain: 'removed.example' })).data
    await report(license_key, 'removed.example')
    await acme.owner.delete(`/sites/${id}`)
    await acme.owner.post('/sites', { domain: 'removed.example' })
    expect((await siteAt('removed.example')).what_runs).toEqual([])
  })
  it('200 with unknown when the organization is deleted', async () => {
    const gone = await app.world.organization()
    const { id, license_key } = await license(gone)
    await gone.owner.post(`/licenses/${id}/activate`, { domain: 'a.example' })
    await gone.owner.delete(`/organizations/${gone.id}`)
    expect((await report(license_key, 'a.example')).data.reason).toBe('unknown_key')
  })
  it('422 for what is no host name, a missing version, invisible characters and unknown fields', async () => {
    for (const domain of ['', '*', '127.0.0.1', null]) expect((await report('x', domain)).status).toBe(422)
    for (const more of [
      { version: undefined },
      { version: '' },
      { version: 'x'.repeat(61) },
      { platform: '\u202eevil' },
      { site_id: 1 },
    ])
      expect((await report('x', 'a.example', more)).status, JSON.stringify(more)).toBe(422)
  })
})

describe('the limit', () => {
  it('429 for a key that reports too often, however it is typed, and for an address', async () => {
    const strict = await startApp({ environment: { LIMIT_REPORTS: '3/60' } })
    try {
      const ask = (license_key: string, address: string) =>
        strict.service.app
          .inject({
            method: 'POST',
            url: '/api/v1/sites/report',
            remoteAddress: address,
            payload: { license_key, domain: 'a.example', version: '1' },
          })
          .then(({ statusCode }) => statusCode)
      const key = '22222-33333-44444-55555-66666'
      const spelt = [key, key.replaceAll('-', ''), key.toLowerCase(), ` ${key}`]
      const tries = []
      for (const [index, one] of spelt.entries()) tries.push(await ask(one, `203.0.113.${index}`))
      expect(tries).toEqual([200, 200, 200, 429])
      const from = []
      for (let count = 0; count < 4; count++) from.push(await ask(`${count}`, '198.51.100.1'))
      expect(from).toEqual([200, 200, 200, 429])
    } finally {
      await strict.close()
    }
  })
})
