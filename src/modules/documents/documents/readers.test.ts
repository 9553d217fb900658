// Who may read a document: decided once, and the same in every answer.
import { tellNodes } from '#test/harness/database.ts'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { typeParsers } from '#kernel/database/row-reader.ts'
import { appOfFile } from '#test/harness/app.ts'
import { apiKey } from '#test/scenes/records.ts'
import { documentOf, nextVersion } from '#test/scenes/documents.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const author = await acme.member({ scopes: ['documents', 'organization'] })
const friend = await acme.member({ scopes: ['documents', 'organization'] })
const stranger = await acme.member({ scopes: ['documents', 'organization'] })
const admin = await acme.member({ role: 'admin', scopes: ['documents', 'organization'] })

/** Every answer in which the document could appear, to its name. */
async function sightings(by: Speaker, id: number, word: string): Promise<string[]> {
  const seen: string[] = []
  const look = async (where: string, path: string) => {
    const answer = await by.get(path)
    if (answer.status === 200 && answer.raw.body.includes(word)) seen.push(where)
  }
  await look('list', `/documents?search=${word}`)
  await look('detail', `/documents/${id}`)
  await look('content', `/documents/${id}/content`)
  await look('versions', `/documents/${id}/versions`)
  await look('search', `/search?q=${word}`)
  await look('audit log', '/audit-log?resource=document&per_page=100')
  await look(OF_VERSIONS, '/audit-log?resource=document_version&per_page=100')
  if ((await by.get(`/documents?search=${word}`)).meta?.total) seen.push('total')
  return seen
}
/** Versions have no events, so that their entries are for who has every scope. */
const OF_VERSIONS = 'audit log of versions'
const EVERYWHERE = ['list', 'detail', 'content', 'versions', 'search', 'audit log', OF_VERSIONS, 'total']
const everywhereFor = (by: Speaker) =>
  EVERYWHERE.filter((place) => place !== OF_VERSIONS || by === acme.owner || by === acme.staff)

async function expectReaders(id: number, word: string, may: Speaker[], mayNot: Speaker[]): Promise<void> {
  for (const by of may) expect(await sightings(by, id, word), by.email).toEqual(everywhereFor(by))
  for (const by of mayNot) {
    expect(await sightings(by, id, word), by.email).toEqual([])
    const attempts = [
      by.patch(`/documents/${id}`, { name: 'x' }),
      by.delete(`/documents/${id}`),
      by.get(`/documents/${id}/accesses`),
      by.get(`/documents/${id}/shares`),
      by.post(`/documents/${id}/shares`, {}),
      nextVersion(by, id, { content: 'x' }),
    ]
    for (const { status } of await Promise.all(attempts)) expect(status).toBe(404)
  }
}

describe('a document for all', () => {
  it('is read by all who hold the scope', async () => {
    await expectReaders(
      await documentOf(author, 'Girafa.txt'),
      'Girafa',
      [author, stranger, admin, acme.owner, acme.staff],
      [],
    )
  })
})

describe('a document for readers', () => {
  it('is read by them, the uploader, the owner and staff, and is absent for everybody else', async () => {
    const id = await documentOf(author, 'Zebra.txt', { visibility: 'readers', reader_ids: String(friend.userId) })
    await expectReaders(id, 'Zebra', [author, friend, acme.owner, acme.staff], [stranger, admin])
  })
  it('is read by an API key of a reader, and not by one of the owner, which acts as a member', async () => {
    const id = await documentOf(acme.staff, 'Panda.txt', { visibility: 'readers', reader_ids: String(author.userId) })
    const key = await apiKey(app, acme, { permission: 'read', scopes: ['documents'] })
    const robot = app.world.speaker(key, acme.owner)
    expect((await robot.get(`/documents/${id}`)).status).toBe(404)
    await acme.staff.patch(`/documents/${id}`, { reader_ids: [acme.owner.userId] })
    expect((await robot.get(`/documents/${id}`)).status).toBe(200)
  })
  it('is absent from the next request on for a reader who is removed', async () => {
    const id = await documentOf(author, 'Lobo.txt', {
      visibility: 'readers',
      reader_ids: `${friend.userId},${stranger.userId}`,
    })
    expect((await friend.get(`/documents/${id}`)).status).toBe(200)
    await author.patch(`/documents/${id}`, { reader_ids: [stranger.userId] })
    expect((await friend.get(`/documents/${id}`)).status).toBe(404)
    await author.patch(`/documents/${id}`, { visibility: 'organization' })
    expect((await friend.get(`/documents/${id}`)).data).toMatchObject({ visibility: 'organization', reader_ids: [] })
  })
  it('has its events for its readers only', async () => {
    const id = await documentOf(author, 'Urso.txt', { visibility: 'readers', reader_ids: String(friend.userId) })
    await author.post(`/documents/${id}/shares`, {})
    await nextVersion(friend, id, { content: 'second' })
    const wanted = ['document', 'document_version', 'document_share', 'document_version', 'document']
    expect(await eventsSeen(author, 'member')).toEqual(wanted)
    expect(await eventsSeen(friend, 'member')).toEqual(wanted)
    expect(await eventsSeen(acme.owner, 'owner')).toEqual(wanted)
    expect(await eventsSeen(stranger, 'member')).toEqual([])
    expect(await eventsSeen(admin, 'admin')).toEqual([])

    async function eventsSeen({ userId }: Speaker, role: string): Promise<string[]> {
      const client = new Client({ connectionString: app.database.url, types: typeParsers })
      await client.connect()
      try {
        await client.query('begin; set local role titular_app')
        for (const [name, value] of Object.entries({ organization_id: acme.id, user_id: userId, role }))
          await client.query('select set_config($1, $2, true)', [`app.${name}`, String(value)])
        await tellNodes(client)
        const { rows } = await client.query<{ resource: string }>(
          `select resource from events where resource = 'document' and resource_id = $1
               or data ->> 'document_id' = $1::text order by sequence`,
          [id],
        )
        return rows.map(({ resource }) => resource)
      } finally {
        await client.end()
      }
    }
  })
})

describe('a document for staff', () => {
  it('is read by staff only, also the entries of its deletion', async () => {
    const id = await documentOf(acme.staff, 'Raposa.txt', { visibility: 'staff' })
    await expectReaders(id, 'Raposa', [acme.staff], [acme.owner, admin, author])
    expect((await acme.staff.post(`/documents/${id}/shares`, {})).status).toBe(409)
    await acme.staff.delete(`/documents/${id}`)
    expect((await acme.owner.get('/audit-log?resource=document&per_page=100')).raw.body).not.toContain('Raposa')
    expect((await acme.staff.get('/audit-log?resource=document&per_page=100')).raw.body).toContain('Raposa')
  })
})

describe('who may read it', () => {
  it('403 when another member decides, 200 for the uploader, an admin and the owner', async () => {
    const id = await documentOf(author, 'Tatu.txt')
    const narrow = { visibility: 'readers', reader_ids: [friend.userId] }
    expect((await friend.patch(`/documents/${id}`, narrow)).status).toBe(403)
    expect((await friend.patch(`/documents/${id}`, { name: 'Tatu bola.txt', visibility: 'organization' })).status).toBe(
      200,
    )
    expect((await admin.patch(`/documents/${id}`, { ...narrow, reader_ids: [admin.userId] })).status).toBe(200)
    expect((await acme.owner.patch(`/documents/${id}`, narrow)).status).toBe(200)
    expect((await admin.get(`/documents/${id}`)).status).toBe(404)
    expect((await author.patch(`/documents/${id}`, { visibility: 'organization' })).status).toBe(200)
  })
  it('422 for an admin who would shut themselves out, a document of customers for staff, and readers who cannot be', async () => {
    const id = await documentOf(author, 'Puma.txt')
    const shut = await admin.patch(`/documents/${id}`, { visibility: 'readers', reader_ids: [friend.userId] })
    expect([shut.status, shut.errors?.fields]).toEqual([422, { reader_ids: 'must name yourself' }])
    expect((await acme.staff.patch(`/documents/${id}`, { visibility: 'staff' })).status).toBe(422)
    expect((await author.patch(`/documents/${id}`, { visibility: 'staff' })).status).toBe(422)
    const without = await acme.member({ scopes: ['quotes'] })
    const guest = await acme.member({ role: 'guest', scopes: ['documents'] })
    for (const one of [without.userId, guest.userId, acme.staff.userId, 999_999_999]) {
      const answer = await author.patch(`/documents/${id}`, { visibility: 'readers', reader_ids: [one] })
      expect([answer.status, Object.keys(answer.errors?.fields ?? {})]).toEqual([422, ['reader_ids']])
    }
  })
})
