// kill -9 of the service between payment and provisioning, and of PostgreSQL under load: nothing acknowledged is lost,
// nothing happens twice, and the service recovers without a restart.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LICENSE_LINE, pressPay } from '#test/scenes/commerce.ts'
import { ADMINISTRATOR, processOf, type Running } from '#test/harness/process.ts'
import { until } from '#test/harness/until.ts'

let service: Running
let headers: Record<string, string>

beforeAll(async () => {
  service = await processOf({ JOBS_LEASE_SECONDS: '3' })
  await service.start()
  const { access_token } = await ask('POST', '/auth/login', ADMINISTRATOR)
  headers = { authorization: `Bearer ${access_token}` }
  const { id } = await ask('POST', '/organizations', { name: 'Crash & Co' })
  headers = { ...headers, 'x-service-organization': String(id) }
})
afterAll(() => service.remove())

async function ask(method: string, path: string, body?: object) {
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = JSON.parse(await response.text())
  expect(answer, `${method} ${path}: ${JSON.stringify(answer)}`).toMatchObject({ success: true })
  return answer.data
}

async function acceptedQuote() {
  const line_items = [LICENSE_LINE, { ...LICENSE_LINE, entitlement_class: 'ENV' }]
  const { id } = await ask('POST', '/quotes', { currency: 'BRL', valid_until: '2099-12-31', line_items })
  await ask('POST', `/quotes/${id}/send`)
  await ask('POST', `/quotes/${id}/accept`)
  return until(
    () => ask('GET', `/quotes/${id}/payment`),
    ({ checkout_url }) => checkout_url !== null,
    service.output,
  )
}

describe('kill -9 of the whole service', () => {
  // Each delay ends at a random point of the work; the result must always be the same.
  it.each([0, 15, 40, 80])(
    'the quote is fulfilled once when the service dies %i ms after the payment',
    async (delay) => {
      const payment = await acceptedQuote()
      expect(await pressPay(payment.checkout_url)).toBe(303)
      await new Promise((resolve) => setTimeout(resolve, delay))
      await service.kill()
      await service.start()
      const quote = await until(
        () => ask('GET', `/quotes/${payment.quote_id}`),
        ({ status }) => status === 'fulfilled',
        service.output,
      )
      expect(quote.entitlement_ids).toHaveLength(2)
      const { entitlements, status } = await ask('GET', `/orders/${payment.order_id}`)
      expect(status).toBe('completed')
      expect(entitlements.map((one: { id: number }) => one.id)).toEqual(quote.entitlement_ids)
      // A paper that took too long on a busy machine is made again.
      await until(
        () => ask('GET', '/admin/jobs'),
        (jobs) => jobs.length === 0,
        service.output,
      )
    },
  )
})

describe('PostgreSQL restarted under load', () => {
  it('503 with Retry-After, then 200 again from the same process', async () => {
    const { pid } = service.child()
    const seen = new Map<number, number>()
    let withoutRetryAfter = 0
    const load = { isOver: false }
    const loads = Array.from({ length: 8 }, async () => {
      while (!load.isOver) {
        const response = await fetch(`${service.url}/api/v1/quotes`, { headers })
        await response.arrayBuffer()
        seen.set(response.status, (seen.get(response.status) ?? 0) + 1)
        if (response.status === 503 && !/^\d+$/.test(response.headers.get('retry-after') ?? '')) withoutRetryAfter++
        if (response.status === 503) await new Promise((resolve) => setTimeout(resolve, 50))
      }
    })
    const answered = (status: number) => seen.get(status) ?? 0
    await until(() => answered(200) > 0)
    process.kill(await service.postgresPid(), 'SIGKILL')
    await until(() => answered(503) > 0, Boolean, service.output)
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
    await until(
      async () => (await fetch(`${service.url}/readyz`)).status,
      (status) => status === 200,
      service.output,
    )
    const before = answered(200)
    await until(() => answered(200) > before + loads.length, Boolean, service.output)
    load.isOver = true
    await Promise.all(loads)
    expect(new Set(seen.keys())).toEqual(new Set([200, 503]))
    expect(withoutRetryAfter).toBe(0)
    expect(service.child().pid).toBe(pid)
    expect(service.child().exitCode).toBeNull()
    await acceptedQuote()
  })
})
