// Spans of days are inclusive: the day before, the last day, and the day after, of each range of days of a list, by the
// routes; and of the days that end something, to the last millisecond in São Paulo, where UTC has the next day by then.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, dayIn, startOfDay } from '#kernel/values/time/calendar.ts'
import { sentQuote } from '#test/scenes/commerce.ts'
import { type BillingScene, billingScene, sleepUntil, ZONE } from '#test/scenes/own-billing.ts'
import { filtersOf } from './list-filters.ts'
import { lists, type ListScene, listScene, parametersOf } from './lists.ts'

/** The field whose day a list's range is of, and the zone that its documentation names. */
const FIELDS: Readonly<Record<string, readonly [field: string, zone: string]>> = {
  '/invoices': ['issue_date', ''],
  '/invoices/order/{order_id}': ['issue_date', ''],
  '/admin/invoices': ['issue_date', ''],
  '/payments': ['payment_date', ''],
  '/admin/payments': ['payment_date', ''],
  '/credit-notes': ['issue_date', ''],
  '/admin/credit-notes': ['issue_date', ''],
  '/affiliates/{id}/statement': ['date', ''],
  '/orders': ['date_created', 'UTC'],
  '/entitlements/{id}/orders': ['date_created', 'UTC'],
  '/admin/orders': ['date_created', 'UTC'],
  '/tax-invoices': ['issued_at', 'UTC'],
  '/tax-invoices/order/{order_id}': ['issued_at', 'UTC'],
  '/admin/tax-invoices': ['issued_at', 'UTC'],
  '/audit-log': ['at', 'UTC'],
  '/admin/audit-log': ['at', 'UTC'],
  '/admin/inbound-events': ['received_at', 'UTC'],
}
const endOf = (one: string): Date => new Date(startOfDay(addDays(one, 1), ZONE).getTime() - 1)
const statusOf = async (act: Promise<{ status: number }>) => (await act).status
const ranged = lists.filter((route) =>
  filtersOf(route).some(({ name, format }) => name === 'date_to' && format === 'date'),
)

describe('the range of days of a list', () => {
  let scene: ListScene
  beforeAll(async () => void (scene = await listScene()))
  afterAll(() => scene.app.close())

  it('is known of each list that has one', () => {
    expect(ranged.map(({ path }) => path).toSorted()).toEqual(Object.keys(FIELDS).toSorted())
  })
  it.each(ranged.map((route) => [route.path, route] as const))(
    '%s has its first and its last day',
    async (path, route) => {
      const [field, zone] = FIELDS[path] ?? ['', '']
      const filled = Object.entries(parametersOf(scene, route)).reduce(
        (made, [name, value]) => made.replace(`{${name}}`, String(value)),
        path,
      )
      const speaker = scene.acme[path.startsWith('/admin') ? 'staff' : 'owner']
      const idsOf = async (range: string): Promise<number[]> => {
        const { status, data, raw } = await speaker.get(`${filled}?per_page=100${range}`)
        expect(status, raw.body).toBe(200)
        return data.map(({ id }: { id: number }) => id)
      }
      const { data } = await speaker.get(`${filled}?per_page=100`)
      const one = data.find((item: Record<string, unknown>) => item[field] !== null)
      const day = zone === '' ? one[field] : dayIn(new Date(one[field]), zone)
      expect(await idsOf(`&date_from=${day}&date_to=${day}`)).toContain(one.id)
      expect(await idsOf(`&date_to=${addDays(day, -1)}`)).not.toContain(one.id)
      expect(await idsOf(`&date_from=${addDays(day, 1)}`)).not.toContain(one.id)
    },
  )
})

describe('the last day', () => {
  let at: BillingScene
  let day: string
  beforeAll(async () => {
    at = await billingScene()
    day = addDays(dayIn(at.app.clock.now, ZONE), 40)
  })
  afterAll(() => at.app.close())

  it('of a quote, of an invoice before it is overdue, of a hold, and of what may be chosen', async () => {
    const quotes = [await sentQuote(at.acme, { valid_until: day }), await sentQuote(at.acme, { valid_until: day })]
    const invoice = { currency: 'BRL', company: 'entity_br', total: '10.00', status: 'open', due_date: day }
    const { id } = (await at.acme.staff.post('/invoices', invoice)).data
    await at.app.service.worker.drain()
    const accept = (quote: number | undefined) => at.buyer.post(`/quotes/${quote}/accept`)
    const isOverdue = async () => (await at.buyer.get(`/invoices/${id}`)).data.is_overdue
    const draft = (valid_until: string) =>
      at.acme.staff.post('/quotes', {
        currency: 'BRL',
        company: 'entity_br',
        valid_until,
        line_items: [{ product_name: 'Backup', quantity: 1, unit_price: '1.00', entitlement_class: 'PLG' }],
      })
    const dueOn = (due_date: string) => at.acme.staff.put(`/invoices/${id}/due-date`, { due_date, reason: 'Agreed' })
    await sleepUntil(at, endOf(day))
    expect(dayIn(at.app.clock.now, 'UTC')).toBe(addDays(day, 1))
    expect(await isOverdue()).toBe(false)
    expect(await statusOf(accept(quotes[0]))).toBe(200)
    expect(await statusOf(draft(day))).toBe(201)
    expect(await statusOf(draft(addDays(day, -1)))).toBe(422)
    expect(await statusOf(at.acme.staff.put('/dunning/hold', { until: day, reason: 'Talks' }))).toBe(200)
    await sleepUntil(at, startOfDay(addDays(day, 1), ZONE))
    expect(await isOverdue()).toBe(true)
    expect(await statusOf(accept(quotes[1]))).toBe(409)
    expect(await statusOf(draft(day))).toBe(422)
    expect(await statusOf(dueOn(addDays(day, 1)))).toBe(200)
    expect(await isOverdue()).toBe(false)
    await sleepUntil(at, startOfDay(addDays(day, 3), ZONE))
    expect(await statusOf(dueOn(addDays(day, 2)))).toBe(422)
    expect(await statusOf(at.acme.staff.put('/dunning/hold', { until: day, reason: 'Talks' }))).toBe(422)
  })
})
