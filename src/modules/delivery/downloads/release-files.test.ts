import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { draft, product, upload } from '#test/scenes/releases.ts'
import type { Organization } from '#test/harness/world.ts'

let app: TestApp
let acme: Organization
let sold: { id: number }

beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
  sold = await product(acme)
})
afterAll(() => app.close())

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')
let count = 0
const version = () => `1.0.${count++}`

describe('POST /downloads/{id}/files', () => {
  it('201 for programs too, outside of the organization’s quota, with the hash of the bytes', async () => {
    const small = await startApp({ environment: { FILES_QUOTA_COUNT: '1', FILES_QUOTA_BYTES: '10' } })
    try {
      const at = await small.world.organization()
      const { id } = await draft(at, (await product(at)).id)
      const content = 'MZ\u0090\u0000 a program of more than ten bytes'
      const file = { fileName: 'C:\\build\\setup\u202e.exe', content, platform: 'windows', architecture: 'arm64' }
      const answer = await upload(at, id, { ...file, signature: 'untrusted comment: minisign' })
      expect(answer.status, answer.raw.body).toBe(201)
      expect(answer.data).toEqual({
        id: expect.any(Number),
        platform: 'windows',
        architecture: 'arm64',
        file_name: 'setup.exe',
        content_type: 'application/x-executable',
        size: Buffer.byteLength(content),
        sha256: sha256(content),
        signature: 'untrusted comment: minisign',
      })
      expect((await upload(at, id, { fileName: 'second.zip' })).status).toBe(201)
      const { data } = await at.staff.get(`/downloads/${id}`)
      expect(data).toMatchObject({ file_name: 'setup.exe', sha256: sha256(content), size: Buffer.byteLength(content) })
      expect(data.files.map(({ file_name }: { file_name: string }) => file_name)).toEqual(['setup.exe', 'second.zip'])
    } finally {
      await small.close()
    }
  })
  it('409 for a name that the release has, also for two at once, and nothing is left of the loser', async () => {
    const { id } = await draft(acme, sold.id, { version: version() })
    const answers = await Promise.all([upload(acme, id), upload(acme, id), upload(acme, id)])
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([201, 409, 409])
    expect((await acme.staff.get(`/downloads/${id}`)).data.files).toHaveLength(1)
    expect(await app.database.query(`select id from jobs where kind = 'files/remove'`)).toEqual([])
  })
  it('404 and 422 leave nothing', async () => {
    const { id } = await draft(acme, sold.id, { version: version() })
    const refused: [number, Parameters<typeof upload>[2], number?][] = [
      [422, { content: '' }],
      [422, { platform: 'amiga' }],
      [422, { architecture: '' }],
      [422, { signature: 'x'.repeat(4097) }],
      [404, {}, 999_999],
    ]
    for (const [status, file, releaseId = id] of refused)
      expect((await upload(acme, releaseId, file)).status, JSON.stringify(file).slice(0, 80)).toBe(status)
    expect((await acme.staff.get(`/downloads/${id}`)).data.files).toEqual([])
    expect(await app.database.query(`select id from jobs where kind = 'files/remove'`)).toEqual([])
  })
  it('DELETE: 200 while it is a draft, 409 after', async () => {
    const { id } = await draft(acme, sold.id, { version: version() })
    const first = (await upload(acme, id)).data
    const second = (await upload(acme, id, { fileName: 'b.zip' })).data
    expect((await acme.staff.delete(`/downloads/${id}/files/${first.id}`)).status).toBe(200)
    expect((await acme.staff.delete(`/downloads/${id}/files/${first.id}`)).status).toBe(404)
    await acme.staff.post(`/downloads/${id}/publish`)
    expect((await acme.staff.delete(`/downloads/${id}/files/${second.id}`)).status).toBe(409)
  })
})
