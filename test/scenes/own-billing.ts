// Orders that the service itself bills again, and a clock that goes on.
import { expect } from 'vitest'
import { addMonths } from '#kernel/values/time/calendar.ts'
import { type TestApp, type TestAppOptions, startApp } from '#test/harness/app.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'
import { buyerOf, sentQuote } from './commerce.ts'

export const ZONE = 'America/Sao_Paulo'
export const DAY_MS = 86_400_000
export const before = (time: string, days: number): Date => new Date(Date.parse(time) - days * DAY_MS)
export const later = (time: string, months: number): string => addMonths(new Date(time), months, ZONE).toISOString()

export type BillingScene = { app: TestApp; acme: Organization; buyer: Speaker }

/** Payments are recorded by hand, unless the options say otherwise. */
export async function billingScene(options: TestAppOptions = {}): Promise<BillingScene> {
  const environment = { ENTITY_BR_PAYMENTS: 'offline', ...options.environment }
  const app = await startApp({ drawsNothing: true, ...options, environment })
  const acme = await app.world.organization()
  return { app, acme, buyer: await buyerOf(acme) }
}

export const MONTHLY = {
  product_name: 'Backup',
  quantity: 2,
  unit_price: '50.00',
  tax_percent: '5.00',
  entitlement_class: 'PLG',
  interval: 'month',
}
export const YEARLY = { ...MONTHLY, interval: 'year' }
export const SETUP = { product_name: 'Setup', quantity: 1, unit_price: '300.00', entitlement_class: 'SVC' }

/** The ids of a sale; entitlements are those of its lines, in their order. */
export type Sale = { order_id: number; invoice_id: number }

export async function accepted(at: BillingScene, line_items: object[], more: object = {}): Promise<Sale> {
  const id = await sentQuote(at.acme, { line_items, ...more })
  expect((await at.buyer.post(`/quotes/${id}/accept`)).status).toBe(200)
  await at.app.service.worker.drain()
  return (await at.buyer.get(`/quotes/${id}/payment`)).data
}

export async function pay(at: BillingScene, id: number): Promise<void> {
  const { status, raw } = await at.acme.staff.post(`/invoices/${id}/pay`, {})
  expect(status, raw.body).toBe(200)
  await at.app.service.worker.drain()
}

/** Accepted and paid. */
export async function sold(at: BillingScene, line_items: object[] = [MONTHLY], more: object = {}): Promise<Sale> {
  const sale = await accepted(at, line_items, more)
  await pay(at, sale.invoice_id)
  return sale
}

const JOBS = ['subscriptions/bill-orders', 'dunning/dun', 'dunning/suspend', 'entitlements/expire', 'licenses/expire']

/** Runs the jobs that the time makes due. */
export async function work({ app }: BillingScene): Promise<void> {
  await app.database.query('insert into jobs (kind, run_at) select unnest($1::text[]), $2', [JOBS, app.clock.now])
  await app.service.worker.drain()
}

/** Moves the clock, and runs what that makes due. */
export async function goTo(at: BillingScene, time: string | Date): Promise<void> {
  await sleepUntil(at, time)
  await work(at)
}

/** Moves the clock; nothing runs. Everybody signs in again, since sessions end. */
export async function sleepUntil(at: BillingScene, time: string | Date): Promise<void> {
  at.app.clock.now = new Date(time)
  const { staff, owner } = at.acme
  for (const [who, roles] of [
    [staff, ['customer', 'administrator']],
    [owner, ['customer']],
    [at.buyer, ['customer']],
  ] as const)
    await signIn(at, who, [...roles])
}

async function signIn({ app }: BillingScene, { userId, headers }: Speaker, roles: string[]): Promise<void> {
  const { now } = app.clock
  const [session] = await app.database.query<{ id: number }>(
    `insert into sessions (user_id, expires_at) values ($1, $2) returning id`,
    [userId, new Date(now.getTime() + 86_400_000)],
  )
  const grant = { userId, sessionId: session?.id ?? 0, organizationId: null, roles, scopes: [], now }
  headers['authorization'] = `Bearer ${(await app.service.ports.accessTokens.issue(grant)).access_token}`
}

export const pathOf = ({ order_id }: Sale): string => `/orders/${order_id}/subscription`

export const subscriptionOf = async (at: BillingScene, sale: Sale): Promise<Answer['data']> =>
  (await at.buyer.get(pathOf(sale))).data

/** Oldest first. */
export const invoicesOf = async (at: BillingScene, { order_id }: Sale): Promise<Answer['data'][]> =>
  (await at.buyer.get(`/invoices/order/${order_id}`)).data.toReversed()

export async function entitlementsOf(at: BillingScene, { order_id }: Sale): Promise<Answer['data'][]> {
  const { entitlements } = (await at.buyer.get(`/orders/${order_id}`)).data
  const found: Answer['data'][] = []
  for (const { id } of entitlements) found.push((await at.buyer.get(`/entitlements/${id}`)).data)
  return found
}

/** A refund of all of this invoice, where the route would take the latest period. */
export async function refundInvoice({ acme, app }: BillingScene, { order_id }: Sale, id: number): Promise<void> {
  const [made] = await app.database.query<{ id: number }>(
    `with reserved as (update invoices set refund_reserved = amount_paid where organization_id = $1 and id = $3)
     insert into refunds (organization_id, order_id, invoice_id, amount, currency, is_approved)
     select organization_id, $2, id, amount_paid, currency, true from invoices where organization_id = $1 and id = $3
     returning id`,
    [acme.id, order_id, id],
  )
  expect((await acme.staff.post(`/refunds/${made?.id}/settle`)).status).toBe(200)
  await app.service.worker.drain()
}

/** Staff refund what was paid outside the provider. */
export async function refund({ acme, app }: BillingScene, sale: Sale, amount: string): Promise<void> {
  const { status, data, raw } = await acme.staff.post(`/orders/${sale.order_id}/refund`, {
    amount,
    reason: 'Complaint',
  })
  expect(status, raw.body).toBe(200)
  await app.service.worker.drain()
  const settled = await acme.staff.post(`/refunds/${data.refund_id}/settle`)
  expect(settled.status, settled.raw.body).toBe(200)
  await app.service.worker.drain()
}

/** Ten hours of work that staff have billed beside the order. */
export async function worked({ staff }: Organization, order_id: number): Promise<number> {
  const line_items = [{ product_name: 'Migration', quantity: 10, unit_price: '20.00' }]
  const { data, raw } = await staff.post('/invoices', { order_id, currency: 'BRL', status: 'open', line_items })
  expect(data?.status, raw.body).toBe('open')
  return data.id
}
