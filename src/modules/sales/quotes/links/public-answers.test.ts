// Answering a quote through its public link: the same acts as a member's, once, with the evidence of who answered.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { buyerOf, sentQuote } from '#test/scenes/commerce.ts'
import { acceptedWith, linkOf, opened, PERSON, rejectedWith } from '#test/scenes/quote-links.ts'

const app = await appOfFile()
const acme = await app.world.organization({ name: 'Acme' })
const buyer = await buyerOf(acme)

const quoteOf = async (id: number) => (await buyer.get(`/quotes/${id}`)).data
const counters = () => app.database.query('select prefix, period, last from code_counters order by 1, 2')
const files = async () => {
  await app.service.worker.drain()
  return app.database.query('select resource_id, version, language, sha256 from filed_documents order by id')
}

describe('POST /public/quotes/{token}/accept', () => {
  it('200 with order, open invoice and codes, as a member’s acceptance gives them', async () => {
    const id = await sentQuote(acme)
    const answer = await acceptedWith(app, await linkOf(acme, id), { purchase_order: 'PO 7' })
    expect(answer).toMatchObject({
      status: 200,
      data: { number: `Q-${id}`, status: 'accepted' },
      message: 'Quote accepted',
    })
    const { order_id, line_items } = await quoteOf(id)
    const { data: order } = await buyer.get(`/orders/${order_id}`)
    expect(order).toMatchObject({ status: 'pending', total: '150.00', customer_id: null, purchase_order: 'PO 7' })
    expect(line_items).toMatchObject(order.line_items)
    expect(line_items[0].entitlement_code).toMatch(/^PLG-\d{10,}$/)
    const { data: invoices } = await buyer.get(`/invoices/order/${order_id}`)
    expect(invoices).toMatchObject([{ status: 'open', total: '150.00', origin: 'order' }])
  })
  it('200 keeps who accepted, when, from where, what was agreed to, and the PDF that was shown', async () => {
    const id = await sentQuote(acme)
    const link = await linkOf(acme, id)
    const { consent, document_sha256 } = (await opened(app, link)).data
    const shown = await opened(app, link, '/pdf')
    await acceptedWith(app, link)
    const { answered_by } = await quoteOf(id)
    expect(answered_by).toEqual({
      ...PERSON,
      link_id: link.id,
      at: app.clock.now.toISOString(),
      ip: '127.0.0.1',
      consent,
      document_sha256,
      document_id: expect.any(Number),
    })
    expect(consent).toContain(`Q-${id}`)
    const kept = await acme.owner.get(`/documents/${answered_by.document_id}/content`)
    expect(kept.raw.rawPayload.equals(shown.raw.rawPayload)).toBe(true)
    expect(createHash('sha256').update(kept.raw.rawPayload).digest('hex')).toBe(document_sha256)
    const { data: entries } = await acme.staff.get(`/audit-log?resource=quote&action=accepted`)
    const [entry] = entries.filter(({ resource_id }: { resource_id: number }) => resource_id === id)
    expect(entry).toMatchObject({ actor: `Bia Lima (link ${link.id})`, ip: '127.0.0.1' })
    expect(entry.changes.after.answered_by).toEqual(answered_by)
  })
  it('200 then shows who accepted, and where to pay', async () => {
    const id = await sentQuote(acme)
    const link = await linkOf(acme, id)
    await acceptedWith(app, link)
    await app.service.worker.drain()
    const { checkout_url } = (await buyer.get(`/quotes/${id}/payment`)).data
    expect((await opened(app, link)).data).toMatchObject({
      status: 'accepted',
      can_accept: false,
      answered_by: 'Bia Lima',
      document_sha256: null,
      checkout_url,
    })
    expect((await opened(app, link, '/pdf')).status).toBe(200)
  })
  it('200 for one of several at once, members included: one order, one document', async () => {
    const id = await sentQuote(acme)
    const [one, two] = [await linkOf(acme, id), await linkOf(acme, id)]
    const { document_sha256 } = (await opened(app, one)).data
    const accepts = [one, two, one].map((link) => acceptedWith(app, link, { document_sha256 }))
    const answers = await Promise.all([...accepts, buyer.post(`/quotes/${id}/accept`)])
    expect(answers.map(({ status }) => `${status}`).toSorted()).toEqual(['200', '409', '409', '409'])
    const [orders] = await app.database.query('select count(*)::int from orders where quote_id = $1', [id])
    expect(orders).toEqual({ count: 1 })
    const byLink = answers.slice(0, 3).some(({ status }) => status === 200)
    const offered = (await files()).filter((file) => file['resource_id'] === id && file['version'] === 'offered')
    expect(offered).toHaveLength(byLink ? 1 : 0)
  })
  it('409 for another hash, and when the customer’s data changed since; nothing is kept', async () => {
    const org = await app.world.organization({ name: 'Moving' })
    const link = await linkOf(org, await sentQuote(org))
    const [before, codes] = [await files(), await counters()]
    const wrong = await acceptedWith(app, link, { document_sha256: 'a'.repeat(64) })
    expect(wrong).toMatchObject({ status: 409, message: 'The quote is not as it was shown; get it again' })
    const { document_sha256 } = (await opened(app, link)).data
    await org.owner.put(`/organizations/${org.id}`, { legal_name: 'Moved S.A.' })
    expect((await acceptedWith(app, link, { document_sha256 })).status).toBe(409)
    expect([await files(), await counters()]).toEqual([before, codes])
    expect((await acceptedWith(app, link)).status).toBe(200)
  })
  it('409 after it was rejected, replaced or cancelled; no code is allocated', async () => {
    const [rejected, replaced, cancelled] = [await sentQuote(acme), await sentQuote(acme), await sentQuote(acme)]
    const shown = await Promise.all(
      [rejected, replaced, cancelled].map(async (id) => {
        const link = await linkOf(acme, id)
        return { id, link, document_sha256: (await opened(app, link)).data.document_sha256 }
      }),
    )
    await buyer.post(`/quotes/${rejected}/reject`)
    const { data: next } = await acme.staff.post(`/quotes/${replaced}/revise`)
    await acme.staff.post(`/quotes/${next.id}/send`)
    await acme.staff.post(`/quotes/${cancelled}/cancel`)
    const codes = await counters()
    const answers = await Promise.all(
      shown.map(async ({ link, document_sha256 }) => acceptedWith(app, link, { document_sha256 })),
    )
    expect(answers).toMatchObject([
      { status: 409, message: 'A quote that is rejected cannot be accepted' },
      { status: 409, message: `The quote was replaced by Q-${replaced}-v2` },
      { status: 409, message: 'A quote that is cancelled cannot be accepted' },
    ])
    expect(await counters()).toEqual(codes)
  })
  it('404 once the link is revoked, and when the last day is over', async () => {
    const [id, last] = [await sentQuote(acme), await sentQuote(acme, { valid_until: '2099-01-31' })]
    const [link, ending] = [await linkOf(acme, id), await linkOf(acme, last)]
    const { document_sha256 } = (await opened(app, link)).data
    await acme.staff.delete(`/quotes/${id}/links/${link.id}`)
    expect((await acceptedWith(app, link, { document_sha256 })).status).toBe(404)
    const now = app.clock.now
    try {
      app.clock.now = new Date('2099-02-01T02:59:59.999Z')
      const late = (await opened(app, ending)).data
      expect(late).toMatchObject({ can_accept: true })
      app.clock.now = new Date('2099-02-01T03:00:00.000Z')
      const { document_sha256: hash } = late
      expect((await acceptedWith(app, ending, { document_sha256: hash })).status).toBe(404)
    } finally {
      app.clock.now = now
    }
  })
  it.each([
    ['name', { name: ' ' }],
    ['name', { name: undefined }],
    ['email', { email: 'bia' }],
    ['consent', { consent: false }],
    ['document_sha256', { document_sha256: 'A' }],
    ['organization_id', { organization_id: 1 }],
  ])('422 names %s of %j', async (field, more) => {
    const id = await sentQuote(acme)
    const answer = await acceptedWith(app, await linkOf(acme, id), more)
    expect([answer.status, Object.keys(answer.errors?.fields ?? {})]).toEqual([422, [field]])
    expect((await quoteOf(id)).status).toBe('viewed')
  })
})

describe('POST /public/quotes/{token}/reject', () => {
  it('200 keeps who rejected it and why; then 409', async () => {
    const id = await sentQuote(acme)
    const link = await linkOf(acme, id)
    const answer = await rejectedWith(app, link, { reason: 'Too early' })
    expect(answer).toMatchObject({ status: 200, data: { status: 'rejected' }, message: 'Quote rejected' })
    expect(await quoteOf(id)).toMatchObject({
      status: 'rejected',
      rejection_reason: 'Too early',
      answered_by: { ...PERSON, link_id: link.id, consent: null, document_sha256: null, document_id: null },
    })
    expect((await rejectedWith(app, link)).status).toBe(409)
    expect((await opened(app, link)).data).toMatchObject({ status: 'rejected', answered_by: 'Bia Lima' })
  })
  it('404 for an unknown token, 422 without a name', async () => {
    expect((await rejectedWith(app, { id: 0, token: 'unknown' })).status).toBe(404)
    const link = await linkOf(acme, await sentQuote(acme))
    expect((await rejectedWith(app, link, { name: '' })).status).toBe(422)
  })
})
