// The disk of the file store is full while bytes arrive: nobody is told that their request was wrong, and whoever runs
// the service learns of it.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '#http/route.ts'
import { type Files, withoutDisk } from '#ports/files.ts'
import { createLocalFiles } from '../../../adapters/local-files/local-files.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { multipart } from '#test/harness/multipart.ts'
import type { Organization } from '#test/harness/world.ts'
import { createRecords, type Records } from '#test/scenes/records.ts'
import { routes } from '../../../modules.ts'

let app: TestApp
let acme: Organization
let records: Records
let isFull = false
let local: Files

/** Some bytes of the content are taken, then there is no room. */
async function fill(content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _chunk of content)
    throw withoutDisk(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }))
}
const files: Files = {
  put: (key, content) => (isFull ? fill(content) : local.put(key, content)),
  get: (key, range) => local.get(key, range),
  remove: (key) => local.remove(key),
}

beforeAll(async () => {
  app = await startApp({ ports: { files } })
  local = createLocalFiles({ directory: join(app.dataDir, 'files') })
  acme = await app.world.organization()
  records = await createRecords(app, acme)
})
afterAll(() => app.close())

/** A logo is kept in the database. */
const uploads = routes.filter((route) => route.features.upload && !route.path.endsWith('/logo'))

const pathOf = ({ path }: Route): string =>
  path.replaceAll(/\/([a-z-]+)\/\{id\}/g, (_, name: string) => `/${name}/${records[name]}`)

/** Longer than what the parser hands on at once, so that some of it has not arrived when the disk is full. */
const CONTENT = 'name;country\n'.repeat(50_000)

const send = (route: Route, content = CONTENT) => {
  const example = Object.entries(route.openapi.example ?? {}).map(([name, value]) => [name, String(value)])
  const { body, headers } = multipart({ content, fileName: 'file.txt' }, Object.fromEntries(example))
  return acme.staff.post(pathOf(route), body, headers)
}

describe('a full disk', () => {
  it.each(uploads.map((route) => [route.path, route] as const))('503 with Retry-After: %s', async (_, route) => {
    isFull = true
    const { status, errors, headers } = await send(route)
    isFull = false
    expect([status, errors?.code, headers['retry-after']]).toEqual([503, 'SERVICE_UNAVAILABLE', '10'])
    const lines = app.log.map((line) => JSON.parse(line))
    const failed = lines.find((line) => line.request_id === headers['x-request-id'] && line.level === 50)
    expect(failed?.err).toMatchObject({ message: 'the disk cannot be used', cause: { code: 'ENOSPC' } })
  })
  it('is in the metrics of the file store', async () => {
    const { body } = await app.service.app.inject('/metrics')
    const counted = /_duration_seconds_count\{target="files",call="put",outcome="error"\} (\d+)/.exec(body)?.[1]
    expect(Number(counted)).toBe(uploads.length)
  })
  it('keeps an export waiting, which is written once there is room', async () => {
    const admin = acme.staff
    const asked = await admin.post('/admin/exports', { source: 'reports/billed', format: 'csv' })
    expect(asked.status, asked.raw.body).toBe(202)
    const statusOf = async () => (await admin.get(`/admin/exports/${asked.data.id}`)).data.status
    isFull = true
    await app.service.worker.drain()
    expect(await statusOf()).not.toBe('completed')
    expect(await statusOf()).not.toBe('failed')
    isFull = false
    app.clock.advance(3600)
    await app.service.worker.drain()
    expect(await statusOf()).toBe('completed')
  })
})
