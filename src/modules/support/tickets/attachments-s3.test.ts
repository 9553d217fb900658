// The same attachments in a bucket, over HTTP to a store that checks signatures.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { multipart } from '#test/harness/multipart.ts'
import { startS3StandIn, type StandIn } from '#test/stand-ins/s3.ts'
import { subjects } from '#test/scenes/tickets.ts'
import type { Organization } from '#test/harness/world.ts'

const KEYS = { accessKey: 'AKIATEST', secretKey: 'a+secret/with=signs', region: 'us-east-1', bucket: 'titular' }

let store: StandIn
let app: TestApp
let acme: Organization
let at: string

beforeAll(async () => {
  store = await startS3StandIn(KEYS)
  app = await startApp({
    environment: {
      FILES: 's3',
      FILES_S3_ENDPOINT: store.endpoint,
      FILES_S3_BUCKET: KEYS.bucket,
      FILES_S3_ACCESS_KEY: KEYS.accessKey,
      FILES_S3_SECRET_KEY: KEYS.secretKey,
    },
  })
  acme = await app.world.organization()
  const { hosting } = await subjects(app, acme)
  const { data } = await acme.owner.post('/tickets', { title: 'x', entitlement_id: hosting })
  at = `/tickets/${data.id}/attachments`
})
afterAll(async () => {
  await app.close()
  await store.close()
})

const attach = (content: Buffer) => {
  const { body, headers } = multipart({ content })
  return acme.owner.post(at, body, headers)
}
const claims = () => app.database.query<{ id: number }>(`select id from jobs where kind = 'files/remove'`)

describe('attachments with FILES=s3', () => {
  it('are stored under the organization’s prefix, downloaded and deleted', async () => {
    const content = randomBytes(300_000)
    const { data, status } = await attach(content)
    expect(status).toBe(201)
    const [key = ''] = store.objects.keys()
    expect(key).toMatch(new RegExp(`^${acme.id}/[0-9a-f]{32}$`))
    const found = await acme.owner.get(`${at}/${data.id}/content`)
    expect(found.raw.rawPayload.equals(content)).toBe(true)
    await acme.owner.delete(`${at}/${data.id}`)
    await app.service.worker.drain()
    expect(store.objects.size).toBe(0)
  })
  it('are 503 while the store is away; the claim stays, and the bytes are removed when it is back', async () => {
    const { data } = await attach(Buffer.from('kept'))
    store.failWith(500)
    const answer = await attach(Buffer.from('lost'))
    expect(answer.status).toBe(503)
    expect(answer.headers['retry-after']).toBe('10')
    expect((await acme.owner.get(`${at}/${data.id}/content`)).status).toBe(503)
    expect((await acme.owner.get(at)).meta?.total).toBe(1)
    expect(await claims()).toHaveLength(1)
    store.failWith(null)
    app.clock.advance(7201)
    await app.service.worker.drain()
    expect(await claims()).toHaveLength(0)
    expect(store.objects.size).toBe(1)
  })
})
