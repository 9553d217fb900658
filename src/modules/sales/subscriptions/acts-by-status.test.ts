// Each status of a subscription with each act that there is, by the routes: what is allowed, and that nothing is billed
// afterwards where nothing may be.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LICENSE_LINE } from '#test/scenes/commerce.ts'
import {
  accepted,
  before,
  type BillingScene,
  billingScene,
  goTo,
  invoicesOf,
  MONTHLY,
  pathOf,
  type Sale,
  sold,
  subscriptionOf,
} from '#test/scenes/own-billing.ts'
import type { Answer } from '#test/harness/world.ts'
import { subscriptionRoutes } from './routes.ts'

let at: BillingScene
beforeAll(async () => void (at = await billingScene()))
afterAll(() => at.app.close())

const post = (sale: Sale, act = '', body: object = {}) => at.acme.staff.post(`${pathOf(sale)}${act}`, body)
const AT_END = { at: 'period_end' }
const BY_INVOICE = { collection_method: 'send_invoice', interval: 'month' }

const running = () => sold(at, [MONTHLY])
async function asked(line: object, body: object): Promise<Sale> {
  const sale = await accepted(at, [line])
  expect((await post(sale, '', body)).status).toBe(201)
  await at.app.service.worker.drain()
  return sale
}
async function after(...acts: [string, object?][]): Promise<Sale> {
  const sale = await running()
  for (const [act, body] of acts) expect((await post(sale, act, body)).status).toBe(200)
  return sale
}

const STATES: Readonly<Record<string, () => Promise<Sale>>> = {
  incomplete: () => asked({ ...LICENSE_LINE, term_months: 1 }, BY_INVOICE),
  trialing: () => asked(MONTHLY, { ...BY_INVOICE, trial_days: 30 }),
  active: running,
  ending: () => after(['/cancel', AT_END]),
  paused: () => after(['/pause']),
  'paused, ending': () => after(['/pause'], ['/cancel', AT_END]),
  canceled: () => after(['/cancel']),
}

type Act = { route: string; send: (sale: Sale) => Promise<Answer>; allowed: readonly string[] }
const ROOT = '/orders/{id}/subscription'
const ALIVE = ['incomplete', 'trialing', 'active', 'ending', 'paused', 'paused, ending']

const ACTS: readonly Act[] = [
  { route: `POST ${ROOT}`, send: (sale) => post(sale, '', BY_INVOICE), allowed: [] },
  {
    route: `PATCH ${ROOT}`,
    send: async (sale) => {
      const [{ entitlement_code }] = (await at.buyer.get(`/orders/${sale.order_id}`)).data.items
      return at.acme.staff.patch(pathOf(sale), { line_items: [{ entitlement_code, quantity: 9 }] })
    },
    allowed: ['trialing', 'active', 'paused'],
  },
  { route: `POST ${ROOT}/cancel`, send: (sale) => post(sale, '/cancel'), allowed: ALIVE },
  {
    route: `POST ${ROOT}/cancel`,
    send: (sale) => post(sale, '/cancel', AT_END),
    allowed: ['incomplete', 'trialing', 'active', 'paused'],
  },
  {
    route: `DELETE ${ROOT}/cancel`,
    send: (sale) => at.acme.staff.delete(`${pathOf(sale)}/cancel`),
    allowed: ['ending', 'paused, ending'],
  },
  { route: `POST ${ROOT}/pause`, send: (sale) => post(sale, '/pause'), allowed: ['trialing', 'active'] },
  { route: `POST ${ROOT}/resume`, send: (sale) => post(sale, '/resume'), allowed: ['paused'] },
]

it('has each act that the routes have', () => {
  const changing = subscriptionRoutes.filter(({ method }) => method !== 'GET')
  const named = new Set(ACTS.map(({ route }) => route))
  expect(new Set(changing.map(({ method, path }) => `${method} ${path}`))).toEqual(named)
})

const billed = async (sale: Sale): Promise<number> =>
  (await invoicesOf(at, sale)).filter(({ status }) => status !== 'void').length

/** Whether it is billed from now on. */
const goesOn = ({ status, ends_at }: Answer['data']): boolean =>
  ends_at === null && (status === 'active' || status === 'trialing')

it('allows what the table says, has a next step only where it goes on, and bills nothing else', async () => {
  const done: { name: string; sale: Sale; before: number }[] = []
  for (const [state, make] of Object.entries(STATES))
    for (const [nth, { route, send, allowed }] of ACTS.entries()) {
      const name = `${state}: ${nth} ${route}`
      const sale = await make()
      const answer = await send(sale)
      expect([name, answer.status], answer.raw.body).toEqual([name, allowed.includes(state) ? 200 : 409])
      await at.app.service.worker.drain()
      const subscription = await subscriptionOf(at, sale)
      expect([name, subscription.next_invoice_at !== null]).toEqual([name, goesOn(subscription)])
      done.push({ name, sale, before: await billed(sale) })
    }
  await goTo(at, before(at.app.clock.now.toISOString(), -70))
  for (const { name, sale, before: known } of done) {
    const subscription = await subscriptionOf(at, sale)
    expect([name, (await billed(sale)) > known]).toEqual([name, goesOn(subscription)])
    const ends = subscription.ends_at !== null
    expect([name, ends && subscription.status !== 'canceled']).toEqual([name, false])
  }
})
