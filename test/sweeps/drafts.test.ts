// Drafts of the vendor: no answer to a customer contains anything of them.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { acceptedQuote, buyerOf, LICENSE_LINE, sentQuote } from '#test/scenes/commerce.ts'
import { textOn } from '#test/harness/pdf-text.ts'
import { createRecords, type Records } from '#test/scenes/records.ts'
import { guarded, isInOrganization, key } from './sweep.ts'
import type { Answer } from '#test/harness/world.ts'

/** The text in every text field of a draft. */
const SECRET = 'Segredo'

const app = await appOfFile()
const acme = await app.world.organization()
const records: Records = await createRecords(app, acme)
const { order_id, invoice_id } = await acceptedQuote(app, acme, await buyerOf(acme))
await acme.staff.post(`/invoices/${invoice_id}/pay`, {})
await app.service.worker.drain()
const { code } = (await acme.owner.get('/entitlements')).data[0]
const line = { ...LICENSE_LINE, product_name: SECRET, description: SECRET }
const made = async (path: string, body?: object): Promise<number> => (await acme.staff.post(path, body)).data.id
const quote = { currency: 'BRL', company: 'entity_br', valid_until: '2099-12-31', line_items: [line], notes: SECRET }
const invoice = { currency: 'BRL', company: 'entity_br', notes: SECRET, purchase_order: SECRET }
const billed = { product_name: SECRET, quantity: 1, unit_price: '7777.77', entitlement_code: code }
const next = await made(`/quotes/${await sentQuote(acme)}/revise`)
await acme.staff.put(`/quotes/${next}`, { line_items: [line], notes: SECRET })
const dropped = await made('/invoices', { ...invoice, line_items: [billed] })
await acme.staff.post(`/invoices/${dropped}/void`)
const withdrawn = await made('/quotes', quote)
await acme.staff.post(`/quotes/${withdrawn}/cancel`)
const drafts: Record<'quotes' | 'invoices' | 'contracts', number[]> = {
  quotes: [await made('/quotes', quote), next, withdrawn],
  invoices: [
    await made('/invoices', { ...invoice, line_items: [billed] }),
    await made('/invoices', { ...invoice, order_id, company: undefined, line_items: [billed] }),
    dropped,
  ],
  contracts: [await made('/contracts', { title: SECRET, start_date: '2026-01-01', terms: SECRET })],
}
await app.service.worker.drain()

/** The amount in each of its forms. (Four digits alone occur in request ids by chance.) */
const DRAFT_WORDS = /segredo|DRAFT-|7777[.,]77|777777|7[.,]777[.,]77/i

/** The bytes of a PDF are compressed and may contain the digits by chance. */
const wordsOf = ({ headers, data, raw }: Answer): string =>
  headers['content-type'] === 'application/pdf' ? textOn(data).join('\n') : raw.body

const reads = guarded.filter((route) => isInOrganization(route) && route.method === 'GET')

describe('drafts', () => {
  it('are answered to staff', async () => {
    for (const [name, ids] of Object.entries(drafts))
      for (const id of ids) expect((await acme.staff.get(`/${name}/${id}`)).raw.body, name).toContain(SECRET)
  })
  it('are in no answer to a customer who may see everything', async () => {
    const leaks: string[] = []
    for (const route of reads) {
      const segment = /\/([\w-]+)\/\{\w+\}/.exec(route.path)?.[1] ?? ''
      const ids = [
        records[segment] ?? 1,
        ...Object.entries(drafts).flatMap(([name, of]) => (name === segment ? of : [])),
      ]
      for (const id of route.path.includes('{') ? ids : [0]) {
        const path = route.path.replaceAll(/\{\w+\}/g, String(id))
        const query =
          { '/search': `?q=${SECRET}`, '/lineage': `?invoice=DRAFT-${drafts.invoices[0]}` }[route.path] ?? ''
        const answer = await acme.owner.get(`${path}${query}`)
        const { status } = answer
        if (status >= 500 || DRAFT_WORDS.test(wordsOf(answer))) leaks.push(`${key(route)} ${path} ${status}`)
        if (id !== ids[0] && status === 200 && route.path.includes('{')) leaks.push(`${key(route)} of a draft: 200`)
      }
    }
    expect(leaks, leaks.join('\n')).toEqual([])
  })
  it('are not found by number, and not counted', async () => {
    for (const q of [`DRAFT-${drafts.invoices[0]}`, `Q-${drafts.quotes[0]}`, SECRET])
      expect((await acme.owner.get(`/search?q=${q}`)).meta?.total, q).toBe(0)
    for (const list of ['quotes', 'invoices', 'contracts'])
      expect((await acme.owner.get(`/${list}?status=draft`)).meta?.total, list).toBe(0)
    expect((await acme.owner.get(`/lineage?quote=Q-${drafts.quotes[0]}`)).status).toBe(404)
  })
})
