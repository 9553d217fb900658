// A paid quote is delivered whatever the names of its lines: nothing derived from a name may fail after the payment.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isVisibleText } from '#kernel/values/text/visible-text.ts'
import { CLASSES } from '#modules/delivery/entitlements/entitlement.ts'
import { appOfFile } from '#test/harness/app.ts'
import { buyerOf, sentQuote } from '#test/scenes/commerce.ts'
import { hostileText } from '#test/sweeps/hostile-strings.ts'

const app = await appOfFile()
const acme = await app.world.organization({ name: '***' })
const buyer = await buyerOf(acme)

type Line = { product_name: string; description: string | null; term_months: number | null; quantity: number }

/** One line of each class. */
async function paid(lines: readonly Line[], more: object): Promise<number> {
  const line_items = lines.map((line, index) => ({
    ...line,
    unit_price: '0.01',
    entitlement_class: CLASSES[index % CLASSES.length],
  }))
  const id = await sentQuote(acme, { line_items, ...more })
  const { data } = await buyer.post(`/quotes/${id}/accept`)
  const [invoice] = (await buyer.get(`/invoices/order/${data.order_id}`)).data
  expect((await acme.staff.post(`/invoices/${invoice.id}/pay`, { payment_method: 'pix' })).status).toBe(200)
  return id
}

type Failing = { kind: string; last_error: string }

async function outcomeOf(id: number) {
  await app.service.worker.drain()
  const failing = await app.database.query<Failing>('select kind, last_error from jobs where last_error is not null')
  const { data } = await buyer.get(`/quotes/${id}`)
  const { entitlements } = (await buyer.get(`/orders/${data.order_id}`)).data
  return { failing, status: data.status, names: entitlements.map(({ product_name }: Line) => product_name) }
}

const delivered = (lines: readonly Line[]) => ({
  failing: [],
  status: 'fulfilled',
  names: lines.map(({ product_name }) => product_name),
})

it.each(['***', '?', '...', '%', '\\', '´', '\u0301', '\u00a0x', '𝒯'.repeat(200), 'ﷺ'.repeat(200)])(
  'a quote of lines called %j is fulfilled',
  async (product_name) => {
    const lines = CLASSES.map(() => ({
      product_name,
      description: product_name,
      term_months: 240,
      quantity: 1_000_000,
    }))
    const id = await paid(lines, { notes: product_name, purchase_order: product_name })
    expect(await outcomeOf(id)).toEqual(delivered(lines))
  },
)

it('a quote with any accepted lines is fulfilled', async () => {
  const name = hostileText(200).filter((text) => isVisibleText(text) && /^[^\p{Cc}\u2028\u2029]*$/u.test(text))
  const line = fc.record({
    product_name: name,
    description: fc.option(hostileText(2000)),
    term_months: fc.option(fc.integer({ min: 1, max: 240 })),
    quantity: fc.integer({ min: 1, max: 1_000_000 }),
  })
  const lines = fc.array(line, { minLength: CLASSES.length, maxLength: CLASSES.length })
  await fc.assert(
    fc.asyncProperty(lines, fc.option(hostileText(20_000)), fc.option(name), async (sold, notes, purchase_order) => {
      const id = await paid(sold, { notes, purchase_order })
      expect(await outcomeOf(id)).toEqual(delivered(sold))
    }),
    { numRuns: 12 },
  )
})
