import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { license } from '#test/scenes/licenses.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const other = await app.world.organization()
const member = await acme.member({ scopes: ['entitlements'] })

const add = async (domain: string, more: object = {}, by = member) =>
  (await by.post('/sites', { domain, ...more })).data

describe('POST /sites', () => {
  it('201 with the canonical domain, its name for people, and a challenge of its own', async () => {
    const answer = await member.post('/sites', { domain: 'https://WWW.Loja.ACME.example.:8443/cart?x=1' })
    expect(answer).toMatchObject({ status: 201, message: 'Site added' })
    const { verification, ...site } = answer.data
    expect(site).toMatchObject({
      organization_id: acme.id,
      domain: 'loja.acme.example',
      name: 'loja.acme.example',
      platform: null,
      platform_version: null,
      environment_id: null,
      license_ids: [],
      status: 'active',
      version: null,
      last_seen_at: null,
      what_runs: [],
    })
    const content = expect.stringMatching(/^titular-challenge=[\w-]{32}$/)
    expect(verification).toEqual({
      status: 'unverified',
      method: null,
      verified_at: null,
      checked_at: null,
      challenge: {
        dns_name: '_titular-challenge.loja.acme.example',
        dns_value: content,
        file_path: '/.well-known/titular-verification.txt',
        file_content: verification.challenge.dns_value,
      },
    })
    expect((await add('second.acme.example')).verification.challenge).not.toEqual(verification.challenge)
  })
  it.each([
    ['bücher.example', 'xn--bcher-kva.example', 'bücher.example'],
    ['XN--BCHER-KVA.acme.example', 'xn--bcher-kva.acme.example', 'bücher.acme.example'],
    ['https://💩.example/', 'xn--ls8h.example', '💩.example'],
    ['www.www.deep.example', 'deep.example', 'deep.example'],
    ['www.com', 'www.com', 'www.com'],
  ])('201: %s is %s, called %s', async (given, domain, name) => {
    expect(await add(given)).toMatchObject({ domain, name })
  })
  it('409 for a domain that is listed, in any spelling; 201 for another organization', async () => {
    await add('taken.example', { name: 'Ours', platform: 'wordpress' })
    for (const domain of ['taken.example', 'WWW.taken.example', 'http://taken.example:80/x'])
      expect((await member.post('/sites', { domain })).status, domain).toBe(409)
    expect(await add('taken.example', {}, other.owner)).toMatchObject({ name: 'taken.example', platform: null })
  })
  it('422 for what is no host name, and for unknown and read-only fields', async () => {
    for (const domain of ['', '*.acme.example', '127.0.0.1', '[::1]', 'a b.example', 'me@acme.example', 5, null]) {
      const answer = await member.post('/sites', { domain })
      expect(answer.status, String(domain)).toBe(422)
      expect(Object.keys(answer.errors?.fields ?? {})).toEqual(['domain'])
    }
    for (const field of ['license_ids', 'environment_id', 'status', 'verification', 'challenge', 'version'])
      expect((await member.post('/sites', { domain: 'x.example', [field]: 1 })).errors?.fields).toEqual({
        [field]: 'unknown field',
      })
    const wrong = { domain: 'x.example', name: ' ', platform: 'x'.repeat(61), organization_id: other.id }
    expect(Object.keys((await member.post('/sites', wrong)).errors?.fields ?? {})).toEqual([
      'organization_id',
      'name',
      'platform',
    ])
  })
  it('403 without the scope', async () => {
    const stranger = await acme.member({ scopes: ['quotes'] })
    expect((await stranger.post('/sites', { domain: 'x.example' })).status).toBe(403)
  })
  it('one of sixteen at once', async () => {
    const asked = Array.from({ length: 16 }, (_, index) => `${index % 2 ? 'www.' : ''}race.example`)
    const answers = await Promise.all(asked.map((domain) => member.post('/sites', { domain })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array<number>(15).fill(409)])
  })
})

describe('GET /sites', () => {
  it('200 with filters', async () => {
    const at = await app.world.organization()
    const { id, entitlement_id } = await license(at)
    await at.owner.post(`/licenses/${id}/activate`, { domain: 'live.example' })
    await app.service.worker.drain()
    const idle = await add('bücher.example', { name: 'Bücherei' }, at.owner)
    await at.owner.patch(`/sites/${idle.id}`, { status: 'inactive' })
    const found = async (query: string, path = '/sites') =>
      (await at.owner.get(`${path}?${query}`)).data.map(({ domain }: { domain: string }) => domain)
    const live = ['live.example']
    expect(await found('')).toEqual(['xn--bcher-kva.example', ...live])
    expect(await found('status=active')).toEqual(live)
    expect(await found('status=inactive')).toEqual(['xn--bcher-kva.example'])
    expect(await found(`license_id=${id}`)).toEqual(live)
    expect(await found(`license_id=${id + 1}`)).toEqual([])
    expect(await found('environment_id=1')).toEqual([])
    expect(await found('search=BUCHER')).toEqual(['xn--bcher-kva.example'])
    expect(await found('search=kva')).toEqual(['xn--bcher-kva.example'])
    expect(await found('search=%25')).toEqual([])
    expect(await found('verified=true')).toEqual([])
    expect(await found('verified=false&per_page=1')).toHaveLength(1)
    expect(await found('', `/entitlements/${entitlement_id}/sites`)).toEqual(live)
    expect(await found('status=inactive', `/entitlements/${entitlement_id}/sites`)).toEqual([])
    expect((await other.owner.get(`/entitlements/${entitlement_id}/sites`)).status).toBe(404)
    const [item] = (await at.owner.get('/sites?status=active')).data
    expect(item.verification).toEqual({ status: 'unverified', method: null, verified_at: null, checked_at: null })
    expect(item).not.toHaveProperty('what_runs')
  })
  it('422 for filters that are none', async () => {
    for (const query of ['status=gone', 'verified=yes', 'license_id=x', 'domain=a.example'])
      expect((await member.get(`/sites?${query}`)).status, query).toBe(422)
  })
  it('is part of what the search finds', async () => {
    await add('findable.example', { name: 'Campus Norte' })
    for (const q of ['findable', 'campus nor']) {
      const { data } = await member.get(`/search?q=${encodeURIComponent(q)}`)
      expect(data.map(({ kind, label }: Record<string, string>) => [kind, label])).toContainEqual([
        'site',
        'Campus Norte',
      ])
    }
  })
})

describe('PATCH /sites/{id}', () => {
  it('200, only the given fields change', async () => {
    const { id } = await add('patch.example', { platform: 'drupal' })
    const answer = await member.patch(`/sites/${id}`, { name: 'Portal' })
    expect(answer).toMatchObject({ status: 200, data: { name: 'Portal', platform: 'drupal', status: 'active' } })
    expect((await member.patch(`/sites/${id}`, { platform: null })).data.platform).toBeNull()
    expect((await member.patch(`/sites/${id}`, { status: 'inactive' })).data.status).toBe('inactive')
    expect((await member.patch(`/sites/${id}`, { status: 'active' })).data.status).toBe('active')
    expect((await member.patch(`/sites/${id}`, { domain: 'x.example' })).errors?.fields).toEqual({
      domain: 'unknown field',
    })
  })
  it('409 for inactive while a license is active on it', async () => {
    const { id } = await license(acme)
    await acme.owner.post(`/licenses/${id}/activate`, { domain: 'busy.example' })
    await app.service.worker.drain()
    const [site] = (await member.get('/sites?search=busy.example')).data
    const answer = await member.patch(`/sites/${site.id}`, { status: 'inactive', name: 'x' })
    expect(answer).toMatchObject({
      status: 409,
      message: `License ${id} is active on the site; deactivate busy.example first`,
    })
    expect((await member.get(`/sites/${site.id}`)).data.name).toBe('busy.example')
  })
})

describe('DELETE /sites/{id}', () => {
  it('200, and it is gone; the domain can be added again, with another challenge', async () => {
    const { id, verification } = await add('gone.example')
    expect(await member.delete(`/sites/${id}`)).toMatchObject({ status: 200, data: null, message: 'Site removed' })
    expect((await member.get(`/sites/${id}`)).status).toBe(404)
    expect((await member.delete(`/sites/${id}`)).status).toBe(404)
    expect((await add('gone.example')).verification.challenge).not.toEqual(verification.challenge)
  })
  it('409 while a license is active on it, 200 after its deactivation', async () => {
    const { id } = await license(acme)
    await acme.owner.post(`/licenses/${id}/activate`, { domain: 'held.example' })
    await app.service.worker.drain()
    const [site] = (await member.get('/sites?search=held.example')).data
    expect((await member.delete(`/sites/${site.id}`)).status).toBe(409)
    await acme.owner.post(`/licenses/${id}/deactivate`, { domain: 'held.example' })
    await app.service.worker.drain()
    expect((await member.get(`/sites/${site.id}`)).data).toMatchObject({ license_ids: [], status: 'inactive' })
    expect((await member.delete(`/sites/${site.id}`)).status).toBe(200)
  })
  it('once of sixteen at once', async () => {
    const { id } = await add('race-out.example')
    const answers = await Promise.all(Array.from({ length: 16 }, () => member.delete(`/sites/${id}`)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(15).fill(404)])
  })
})

describe('another organization’s site', () => {
  it('404 for all, and it stays as it was', async () => {
    const { id } = await add('theirs.example')
    const { owner, staff } = other
    for (const who of [owner, staff])
      for (const answer of [
        await who.get(`/sites/${id}`),
        await who.patch(`/sites/${id}`, { name: 'x' }),
        await who.delete(`/sites/${id}`),
        await who.post(`/sites/${id}/verify`),
      ])
        expect(answer).toMatchObject({ status: 404, data: null })
    expect((await member.get(`/sites/${id}`)).data.name).toBe('theirs.example')
  })
})

describe('the audit log', () => {
  it('never shows a challenge', async () => {
    const { id, verification } = await add('secret.example')
    await member.patch(`/sites/${id}`, { name: 'x' })
    await member.delete(`/sites/${id}`)
    const challenge = verification.challenge.dns_value.replace('titular-challenge=', '')
    const written = await app.database.query<{ text: string }>(
      `select concat(before, after) as text from audit_log where resource = 'site' and resource_id = $1
       union all select data::text from events where resource = 'site' and resource_id = $1`,
      [id],
    )
    expect(written).toHaveLength(6)
    expect(written.filter(({ text }) => text.includes(challenge))).toEqual([])
  })
})
