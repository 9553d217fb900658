// The page of a quote's public link: read, accepted and rejected with forms, without scripts.
import { beforeAll, describe, expect, it } from 'vitest'
import { appOfFile, startApp } from '#test/harness/app.ts'
import { buyerOf, sentQuote } from '#test/scenes/commerce.ts'
import { linkOf, type PublicLink } from '#test/scenes/quote-links.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
let acme: Organization
let buyer: Speaker

beforeAll(async () => {
  acme = await app.world.organization({ name: 'Açaí & “Cia”' })
  buyer = await buyerOf(acme)
})

const load = ({ token }: PublicLink, language = 'en') =>
  app.service.app.inject({ url: `/quotes/${token}`, headers: { 'accept-language': language } })

const withoutNonce = ({ body }: { body: string }) => body.replace(/nonce="[^"]+"/g, '')

const submit = ({ token }: PublicLink, fields: Record<string, string>) =>
  app.service.app.inject({
    method: 'POST',
    url: `/quotes/${token}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'en' },
    payload: new URLSearchParams(fields).toString(),
  })

/** The fields of the form for accepting, filled in, with the value of its button. */
const accepting = async (link: PublicLink, more: Record<string, string> = {}) => {
  const [, accept = ''] = /name="accept" value="([0-9a-f]{64})"/.exec((await load(link)).body) ?? []
  return { name: 'Bia Lima', email: 'bia@acme.example', purchase_order: '', consent: 'true', accept, ...more }
}
const quoteOf = async (id: number) => (await buyer.get(`/quotes/${id}`)).data

describe('GET /quotes/{token}', () => {
  it.each([
    ['en', 'Accept this quote', 'R$150.00'],
    ['pt-BR', 'Aceitar este orçamento', 'R$ 150,00'],
  ])('200 in %s, for forms only, neither stored nor indexed, without a referrer', async (language, heading, total) => {
    const link = await linkOf(acme, await sentQuote(acme))
    const { statusCode, headers, body } = await load(link, language)
    expect([statusCode, headers['cache-control'], headers['referrer-policy']]).toEqual([200, 'no-store', 'no-referrer'])
    expect(headers['content-security-policy']).toContain("form-action 'self'")
    expect(body).toContain('<meta name="robots" content="noindex">')
    expect(body.replaceAll('\u00a0', ' ')).toContain(total)
    expect(body).toContain(heading)
    expect(body).not.toContain('<script')
  })
  it('404 with one page for all links that open nothing', async () => {
    const link = await linkOf(acme, await sentQuote(acme))
    await app.database.query('update quote_links set revoked_at = now() where id = $1', [link.id])
    const [revoked, unknown] = [await load(link), await load({ id: 0, token: 'unknown' })]
    expect([revoked.statusCode, unknown.statusCode]).toEqual([404, 404])
    expect(withoutNonce(revoked)).toBe(withoutNonce(unknown))
  })
  it('is counted as a view, with GET only', async () => {
    const id = await sentQuote(acme)
    const link = await linkOf(acme, id)
    await load(link)
    const head = await app.service.app.inject({ method: 'HEAD', url: `/quotes/${link.token}` })
    expect(head.statusCode).toBe(404)
    expect((await buyer.get(`/quotes/${id}/links`)).data[0]).toMatchObject({ id: link.id, view_count: 1 })
    expect(app.log.join('\n')).not.toContain(link.token)
  })
})

describe('POST /quotes/{token}', () => {
  it('303 accepts with what the form showed; the page then says who accepted', async () => {
    const id = await sentQuote(acme)
    const link = await linkOf(acme, id)
    const answer = await submit(link, await accepting(link))
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `/quotes/${link.token}`])
    expect(await quoteOf(id)).toMatchObject({ status: 'accepted', answered_by: { name: 'Bia Lima', link_id: link.id } })
    const { body } = await load(link)
    expect(body).toContain('Accepted by Bia Lima on')
    expect(body).not.toContain('<form')
  })
  it('303 rejects', async () => {
    const id = await sentQuote(acme)
    const link = await linkOf(acme, id)
    const fields = { name: 'Bia Lima', email: 'bia@acme.example', reason: 'Too early', reject: 'true' }
    expect((await submit(link, fields)).statusCode).toBe(303)
    expect(await quoteOf(id)).toMatchObject({ status: 'rejected', rejection_reason: 'Too early' })
  })
  it.each([
    [{ consent: '' }, 'Please agree to the sentence above the button.'],
    [{ email: 'bia' }, 'This is not a valid e-mail address.'],
    [{ name: '' }, 'Please enter your name.'],
  ])('422 for %j, with the page as it was filled in', async (more, text) => {
    const link = await linkOf(acme, await sentQuote(acme))
    const { statusCode, body } = await submit(link, await accepting(link, { purchase_order: 'PO "7"', ...more }))
    expect(statusCode).toBe(422)
    expect(body).toContain(text)
    expect(body).toContain('value="PO &quot;7&quot;"')
  })
  it('409 when the offer is not what the form showed, 404 for an unknown link', async () => {
    const id = await sentQuote(acme)
    const link = await linkOf(acme, id)
    const answer = await submit(link, await accepting(link, { accept: 'a'.repeat(64) }))
    expect([answer.statusCode, answer.body.includes('role="alert"')]).toEqual([409, true])
    expect((await quoteOf(id)).status).toBe('viewed')
    expect((await submit({ id: 0, token: 'unknown' }, {})).statusCode).toBe(404)
  })
  it('429 as the API limits the visitor', async () => {
    const limited = await startApp({ environment: { LIMIT_PUBLIC: '2/60' } })
    try {
      const ask = () => limited.service.app.inject({ url: '/quotes/unknown' })
      const answers = [await ask(), await ask(), await ask()]
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 429])
      expect(Number(answers[2]?.headers['retry-after'])).toBeGreaterThan(0)
    } finally {
      await limited.close()
    }
  })
})

describe('what the customer chooses', () => {
  const LINE = { product_name: 'Backup', entitlement_class: 'PLG', quantity: 5, unit_price: '30.00' }
  const line_items = [
    { ...LINE, quantity_min: 2, quantity_max: 20 },
    { ...LINE, product_name: 'Set-up', quantity: 1, is_optional: true, is_chosen: true },
    { ...LINE, product_name: 'Training', quantity: 1, unit_price: '70.00', is_optional: true },
  ]
  const chosen = { 'quantity.0': '10', 'chosen.2': 'true' }

  it('200 shows the total of the choice, without accepting', async () => {
    const id = await sentQuote(acme, { line_items })
    const link = await linkOf(acme, id)
    expect((await load(link)).body).toContain('R$180.00')
    const { statusCode, body } = await submit(link, { name: 'Bia Lima', preview: 'true', ...chosen })
    expect(statusCode).toBe(200)
    expect(body).toContain('R$370.00')
    expect(body).toContain('value="Bia Lima"')
    expect(body).toMatch(/name="chosen.2" type="checkbox" value="true" checked/)
    expect(body).not.toMatch(/name="chosen.1" type="checkbox" value="true" checked/)
    expect(await quoteOf(id)).toMatchObject({ status: 'viewed', total: '180.00' })
  })
  it('303 accepts it; the page then has what was chosen alone', async () => {
    const id = await sentQuote(acme, { line_items })
    const link = await linkOf(acme, id)
    expect((await submit(link, await accepting(link, chosen))).statusCode).toBe(303)
    expect(await quoteOf(id)).toMatchObject({ status: 'accepted', total: '370.00' })
    const { body } = await load(link)
    expect([body.includes('Training'), body.includes('Set-up'), body.includes('<input')]).toEqual([true, false, false])
  })
  it.each(['1', '21', 'ten', ''])('422 for the quantity %j', async (quantity) => {
    const id = await sentQuote(acme, { line_items })
    const link = await linkOf(acme, id)
    const fields = await accepting(link, { ...chosen, 'quantity.0': quantity })
    expect((await submit(link, fields)).statusCode).toBe(422)
    expect((await quoteOf(id)).status).toBe('viewed')
  })
})
