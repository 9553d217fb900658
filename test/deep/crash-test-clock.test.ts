// kill -9 while the time of an organization with a test clock passes: the next process goes on, and the organization has gone
// through the same as one whose time passed without a break.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ADMINISTRATOR, processOf, type Running } from '#test/harness/process.ts'
import { until } from '#test/harness/until.ts'

const MONTHS = 5
const END = '2027-08-01T00:00:00Z'

let service: Running
let authorization: string

beforeAll(async () => {
  service = await processOf({ JOBS_LEASE_SECONDS: '3' })
  await service.start()
  const { access_token } = await ask('POST', '/auth/login', { body: ADMINISTRATOR })
  authorization = `Bearer ${access_token}`
})
afterAll(() => service.remove())

async function ask(method: string, path: string, { body, org }: { body?: object; org?: number } = {}) {
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: {
      ...(authorization && { authorization }),
      ...(org && { 'x-service-organization': String(org) }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = JSON.parse(await response.text())
  expect(answer, `${method} ${path}: ${JSON.stringify(answer)}`).toMatchObject({ success: true })
  return answer.data
}

async function sold(): Promise<number> {
  const { id: org } = await ask('POST', '/organizations', { body: { name: 'Crash & Co' } })
  await ask('POST', `/admin/organizations/${org}/test-clock`, { body: { now: '2027-01-31T12:00:00Z' } })
  for (let month = 1; month <= MONTHS; month++) {
    const expires_at = new Date(Date.UTC(2027, month, 28)).toISOString()
    const body = { class: 'PLG', product_name: `Part ${month}`, company: 'entity_br', organization_id: org, expires_at }
    await ask('POST', '/entitlements', { org, body })
  }
  return org
}

const clockOf = (org: number) => ask('GET', `/admin/organizations/${org}/test-clock`)
const advance = (org: number) => ask('POST', `/admin/organizations/${org}/test-clock/advance`, { body: { to: END } })
const isOver = (org: number) =>
  until(
    () => clockOf(org),
    ({ status }) => status !== 'advancing',
    service.output,
  )

async function chronicle(org: number): Promise<string[]> {
  const { events } = await ask('GET', '/events?per_page=100&resource=entitlement', {
    org,
  })
  return events
    .map(
      ({ type, timestamp, data }: { type: string; timestamp: string; data: { product_name: string } }) =>
        `${timestamp} ${type} ${data.product_name}`,
    )
    .toSorted()
}

it.each([150, 900])('goes on after the process has died %i ms after the advance began', async (delay) => {
  const [broken, whole] = [await sold(), await sold()]
  await advance(broken)
  await new Promise((resolve) => setTimeout(resolve, delay))
  await service.kill()
  await service.start()
  expect(await isOver(broken)).toMatchObject({ status: 'ready', error: null })
  await advance(whole)
  expect(await isOver(whole)).toMatchObject({ status: 'ready', error: null })
  const told = await chronicle(whole)
  // Created, warned of three times, and expired.
  expect(told).toHaveLength(MONTHS * 5)
  expect(await chronicle(broken)).toEqual(told)
  expect(await ask('GET', '/admin/jobs')).toEqual([])
})
