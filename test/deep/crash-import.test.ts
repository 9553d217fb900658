// kill -9 while a file is imported: the next process goes on, and each line has become one record.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ADMINISTRATOR, processOf, type Running } from '#test/harness/process.ts'
import { until } from '#test/harness/until.ts'

const LINES = 700

let service: Running
let authorization: string

beforeAll(async () => {
  service = await processOf({ JOBS_LEASE_SECONDS: '3' })
  await service.start()
  const json = { 'content-type': 'application/json' }
  const { data } = await ask('/auth/login', JSON.stringify(ADMINISTRATOR), json)
  authorization = `Bearer ${data.access_token}`
})
afterAll(() => service.remove())

async function ask(path: string, body?: string | FormData, headers: Record<string, string> = {}) {
  const sent = { ...headers, ...(authorization && { authorization }) }
  const response = await fetch(`${service.url}/api/v1${path}`, { headers: sent, ...(body && { method: 'POST', body }) })
  const answer = JSON.parse(await response.text())
  expect(answer, `${path}: ${JSON.stringify(answer)}`).toMatchObject({ success: true })
  return answer
}

async function send(source: string): Promise<number> {
  const lines = Array.from({ length: LINES }, (_, at) => `${at},${source} ${at}\n`)
  const form = new FormData()
  for (const [name, value] of Object.entries({ kind: 'organizations', format: 'csv', source })) form.append(name, value)
  form.append('file', new Blob([`external_id,name\n${lines.join('')}`]), 'customers.csv')
  return (await ask('/admin/imports', form)).data.id
}

it.each([300, 900])('goes on after the process has died %i ms after the upload', async (delay) => {
  const source = `crash${delay}`
  const id = await send(source)
  await new Promise((resolve) => setTimeout(resolve, delay))
  await service.kill()
  await service.start()
  const { data } = await until(
    () => ask(`/admin/imports/${id}`),
    (answer) => answer.data.ended_at !== null,
    service.output,
  )
  expect(data).toMatchObject({ status: 'completed', rows: LINES, created: LINES, unchanged: 0, refused: 0 })
  expect((await ask(`/admin/organizations?search=${source}`)).meta.total).toBe(LINES)
  expect((await ask('/admin/jobs')).data).toEqual([])
})
