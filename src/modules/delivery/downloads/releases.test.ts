import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { draft, product, release, upload } from '#test/scenes/releases.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const sold: { id: number; name: string } = await product(acme)

let count = 0
const version = () => `1.0.${count++}`

describe('POST /downloads', () => {
  it('201 with a draft, whose plain notes are the English ones', async () => {
    const notes = { en: 'Faster', 'pt-BR': 'Mais rápido' }
    const answer = await acme.staff.post('/downloads', {
      product_id: sold.id,
      version: '2.0.0-rc.1+7',
      channel: 'beta',
      release_notes_by_language: notes,
    })
    expect(answer.status).toBe(201)
    expect(answer.data).toEqual({
      id: expect.any(Number),
      product_id: sold.id,
      product_name: sold.name,
      version: '2.0.0-rc.1+7',
      channel: 'beta',
      status: 'draft',
      released_at: null,
      release_notes: 'Faster',
      release_notes_by_language: notes,
      yank_reason: null,
      file_name: null,
      size: null,
      sha256: null,
      files: [],
      entitlement_ids: [],
      created_at: app.clock.now.toISOString(),
      updated_at: app.clock.now.toISOString(),
    })
  })
  it('201 with plain notes, and 422 when both forms differ', async () => {
    const body = { product_id: sold.id, version: version(), release_notes: 'Plain' }
    const { data } = await acme.staff.post('/downloads', body)
    expect(data).toMatchObject({ release_notes: 'Plain', release_notes_by_language: { en: 'Plain', 'pt-BR': null } })
    const portuguese = { release_notes: null, release_notes_by_language: { 'pt-BR': 'Só em português' } }
    expect((await acme.staff.patch(`/downloads/${data.id}`, portuguese)).data.release_notes).toBe('Só em português')
    const both = { ...body, version: version(), release_notes_by_language: { en: 'Other' } }
    expect((await acme.staff.post('/downloads', both)).errors?.fields).toEqual({
      release_notes: 'differs from `en` of release_notes_by_language',
    })
  })
  it('409 for a version that the product has, whatever its build, channel and status', async () => {
    await draft(acme, sold.id, { version: '3.0.0+a' })
    for (const more of [{ version: '3.0.0' }, { version: '3.0.0+b', channel: 'beta' }]) {
      const answer = await acme.staff.post('/downloads', { product_id: sold.id, ...more })
      expect([answer.status, answer.message]).toEqual([409, 'The product has a release of this version already'])
    }
    const other = await product(acme)
    expect((await acme.staff.post('/downloads', { product_id: other.id, version: '3.0.0' })).status).toBe(201)
  })
  it('409 for all but one of many at once, also from different organizations', async () => {
    const other = await app.world.organization()
    const body = { product_id: sold.id, version: '4.0.0' }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => (index % 2 ? acme : other).staff.post('/downloads', body)),
    )
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([
      201,
      ...Array.from({ length: 7 }, () => 409),
    ])
  })
  it('422 names every bad field', async () => {
    const future = new Date(app.clock.now.getTime() + 3_600_000).toISOString()
    const bad = { version: 'v1', channel: 'alpha', released_at: future, organization_id: acme.id + 1, x: 1 }
    expect(Object.keys((await acme.staff.post('/downloads', bad)).errors?.fields ?? {}).toSorted()).toEqual(
      ['channel', 'organization_id', 'product_id', 'released_at', 'version', 'x'].toSorted(),
    )
    const unknown = await acme.staff.post('/downloads', { product_id: 999_999, version: version() })
    expect(unknown.errors?.fields).toEqual({ product_id: 'names no product of the catalogue' })
  })
  it('403 for customers, who never see a draft', async () => {
    const { id } = await draft(acme, sold.id, { version: version() })
    await acme.staff.post('/entitlements', entitled({ product_id: sold.id }))
    const { owner } = acme
    expect((await owner.post('/downloads', { product_id: sold.id, version: version() })).status).toBe(403)
    expect((await owner.get(`/downloads/${id}`)).status).toBe(404)
    expect((await owner.get('/downloads?status=draft')).meta?.total).toBe(0)
    expect((await owner.post(`/downloads/${id}/link`, {})).status).toBe(404)
    expect((await acme.staff.get('/downloads?status=draft')).meta?.total).toBeGreaterThan(0)
    for (const [method, path] of [
      ['patch', ''],
      ['post', '/publish'],
      ['post', '/files'],
    ] as const)
      expect((await owner[method](`/downloads/${id}${path}`, {})).status).toBe(403)
    expect((await owner.delete(`/downloads/${id}`)).status).toBe(403)
  })
})

const entitled = (more: object) => ({
  class: 'PLG',
  product_name: sold.name,
  company: 'entity_br',
  organization_id: acme.id,
  ...more,
})

describe('the states of a release', () => {
  it('409 for a draft without files; 200 sets the time of the release', async () => {
    const { id } = await draft(acme, sold.id, { version: version() })
    const empty = await acme.staff.post(`/downloads/${id}/publish`)
    expect([empty.status, empty.message]).toEqual([409, 'A release without files cannot be published'])
    await upload(acme, id)
    const { data } = await acme.staff.post(`/downloads/${id}/publish`)
    expect(data).toMatchObject({ status: 'published', released_at: app.clock.now.toISOString() })
  })
  it('200 keeps the time that staff set', async () => {
    const released_at = '2020-02-02T00:00:00.000Z'
    expect((await release(acme, sold.id, { version: version(), released_at })).released_at).toBe(released_at)
  })
  it('409 for all but one of many at once', async () => {
    const { id } = await draft(acme, sold.id, { version: version() })
    await upload(acme, id)
    const answers = await Promise.all(Array.from({ length: 5 }, () => acme.staff.post(`/downloads/${id}/publish`)))
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.message).toBe(
      'A release that is published cannot become published',
    )
  })
  it('200 for a yank with its reason, and back; 409 and 422 otherwise', async () => {
    const { id } = await release(acme, sold.id, { version: version() })
    expect((await acme.staff.post(`/downloads/${id}/restore`)).status).toBe(409)
    expect((await acme.staff.post(`/downloads/${id}/yank`, {})).status).toBe(422)
    expect((await acme.staff.post(`/downloads/${id}/yank`, { reason: ' ' })).status).toBe(422)
    const yanked = await acme.staff.post(`/downloads/${id}/yank`, { reason: 'Loses settings' })
    expect(yanked.data).toMatchObject({ status: 'yanked', yank_reason: 'Loses settings' })
    expect((await acme.staff.post(`/downloads/${id}/yank`, { reason: 'x' })).status).toBe(409)
    expect((await upload(acme, id, { fileName: 'late.zip' })).status).toBe(409)
    const restored = await acme.staff.post(`/downloads/${id}/restore`)
    expect(restored.data).toMatchObject({ status: 'published', yank_reason: null })
  })
  it('each change has an entry in the service’s own audit log, and none in the organization’s', async () => {
    const { id } = await release(acme, sold.id, { version: version() })
    await acme.staff.patch(`/downloads/${id}`, { release_notes: 'Now with notes' })
    await acme.staff.patch(`/downloads/${id}`, { release_notes: 'Now with notes' })
    await acme.staff.post(`/downloads/${id}/yank`, { reason: 'Loses settings' })
    const entries = await acme.staff.get(`/admin/audit-log?log=service&resource=release&resource_id=${id}`)
    const changes = entries.data.map(
      ({ action, changes: { after } }: { action: string; changes: { after: object } }) => [action, after],
    )
    expect(changes).toEqual([
      [
        'yanked',
        {
          before: { status: 'published', yank_reason: null },
          after: { status: 'yanked', yank_reason: 'Loses settings' },
        },
      ],
      ['updated', { before: { release_notes: null }, after: { release_notes: 'Now with notes' } }],
      ['published', expect.objectContaining({ before: { status: 'draft', released_at: null } })],
      ['file_added', expect.anything()],
      ['created', expect.anything()],
    ])
    const own = await acme.owner.get('/audit-log?resource=release')
    expect(own.meta?.total).toBe(0)
  })
})

describe('PATCH /downloads/{id}', () => {
  it('200 for everything of a draft, and for notes and channel of a release; 409 for its version', async () => {
    const one = await draft(acme, sold.id, { version: version() })
    const next = version()
    expect((await acme.staff.patch(`/downloads/${one.id}`, { version: next })).data.version).toBe(next)
    const beta = await release(acme, sold.id, { version: version(), channel: 'beta' })
    const stable = await acme.staff.patch(`/downloads/${beta.id}`, { channel: 'stable', version: beta.version })
    expect(stable.data).toMatchObject({ channel: 'stable', version: beta.version })
    expect((await acme.staff.patch(`/downloads/${beta.id}`, { version: version() })).status).toBe(409)
    expect((await acme.staff.patch(`/downloads/${beta.id}`, { released_at: null })).status).toBe(409)
    expect((await acme.staff.patch(`/downloads/${one.id}`, { version: beta.version })).status).toBe(409)
    expect((await acme.staff.patch('/downloads/999999', {})).status).toBe(404)
    expect((await acme.staff.patch(`/downloads/${one.id}`, { status: 'published' })).status).toBe(422)
  })
})

describe('DELETE /downloads/{id}', () => {
  it('200 for a draft, whose bytes a job removes; 409 for what was published', async () => {
    const { id } = await draft(acme, sold.id, { version: version() })
    await upload(acme, id)
    const [stored] = await app.database.query<{ storage_key: string }>(
      'select storage_key from release_files where release_id = $1',
      [id],
    )
    const { files } = app.service.ports
    expect(stored?.storage_key).toMatch(/^vendor\//)
    expect((await acme.staff.delete(`/downloads/${id}`)).status).toBe(200)
    await app.service.worker.drain()
    expect(await files.get(stored?.storage_key ?? '')).toBeNull()
    expect((await acme.staff.get(`/downloads/${id}`)).status).toBe(404)
    expect((await acme.staff.delete(`/downloads/${id}`)).status).toBe(404)
    const published = await release(acme, sold.id, { version: version() })
    expect((await acme.staff.delete(`/downloads/${published.id}`)).status).toBe(409)
  })
})
