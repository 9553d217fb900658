// Imports for tests: a file of staff, and what became of its lines.
import { expect } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { multipart } from '#test/harness/multipart.ts'
import type { Answer, Speaker } from '#test/harness/world.ts'

type Asked = { kind: string; source?: string; format?: string } & Record<string, string>
type Content = string | Buffer | readonly object[]

/** Lists of objects are sent as NDJSON. */
export function sendImport(staff: Speaker, asked: Asked, content: Content): Promise<Answer> {
  const isText = typeof content === 'string' || Buffer.isBuffer(content)
  const file = isText ? content : content.map((one) => `${JSON.stringify(one)}\n`).join('')
  const fields = { source: 'whmcs', format: isText ? 'csv' : 'ndjson', ...asked }
  const { body, headers } = multipart({ fileName: `${fields.kind}.${fields.format}`, content: file }, fields)
  return staff.post('/admin/imports', body, headers)
}

/** Sends the file, and waits until it was read: the import, and the report on its lines. */
export async function imported(app: TestApp, staff: Speaker, asked: Asked, content: Content) {
  const answer = await sendImport(staff, asked, content)
  expect(answer.status, answer.raw.body).toBe(202)
  await app.service.worker.drain()
  return report(staff, answer.data.id)
}

export const outcomes = (done: { lines: { outcome: string }[] }): string[] => done.lines.map(({ outcome }) => outcome)

/** Two imported organizations: `id` is that of the one with the external id `1`, and `inside` are staff in it. */
export async function importScene() {
  const app = await startApp()
  const acme = await app.world.organization()
  const staff = app.world.speaker({ authorization: acme.staff.headers['authorization'] ?? '' }, acme.staff)
  const done = await imported(app, staff, { kind: 'organizations' }, [
    { external_id: '1', name: 'Norte', country: 'BR' },
    { external_id: '2', name: 'Sul', country: 'BR' },
  ])
  const id: number = done.lines[0].organization_id
  return { app, acme, staff, id, inside: app.world.inside(staff, id) }
}
export type ImportScene = Awaited<ReturnType<typeof importScene>>

export async function report(staff: Speaker, id: number) {
  const { data } = await staff.get(`/admin/imports/${id}`)
  const rows = await staff.get(`/admin/imports/${id}/rows?per_page=100`)
  return { ...data, lines: rows.data }
}

export const csv = (...records: readonly string[][]): string =>
  records.map((cells) => `${cells.join(';')}\r\n`).join('')

/** Of each line; null where it was imported. */
export const errorsOf = ({ lines }: { lines: readonly { errors: object | null }[] }): (object | null)[] =>
  lines.map(({ errors }) => errors)
