// Public links of quotes: who makes them, what they show, and that they open exactly as long as they should.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import { buyerOf, draftQuote, sentQuote } from '#test/scenes/commerce.ts'
import { linkOf, mailedLink, opened, type PublicLink } from '#test/scenes/quote-links.ts'

const app = await appOfFile()
const acme = await app.world.organization({ name: 'Açaí & “Cia” 🫐' })
const other = await app.world.organization()
const buyer = await buyerOf(acme)

const open = (link: PublicLink, act = '') => opened(app, link, act)
const listed = async (quote: number) => (await buyer.get(`/quotes/${quote}/links`)).data

describe('POST /quotes/{id}/links', () => {
  it('201 with an address that is shown once and stored as a digest, until the quote ends', async () => {
    const quote = await sentQuote(acme, { valid_until: '2099-02-28' })
    const made = await acme.staff.post(`/quotes/${quote}/links`, { note: 'For the board' })
    expect([made.status, made.headers['cache-control']]).toEqual([201, 'no-store'])
    expect(made.data).toMatchObject({
      quote_id: quote,
      note: 'For the board',
      mailed: false,
      view_count: 0,
      first_viewed_at: null,
      // The end of the day in São Paulo.
      expires_at: '2099-03-01T03:00:00.000Z',
    })
    const token = made.data.url.split('/').at(-1)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    for (const path of [`/quotes/${quote}/links`, '/audit-log?resource=quote_link'])
      expect((await acme.staff.get(path)).raw.body).not.toContain(token)
    const rows = await app.database.query(`select to_jsonb(l)::text as text from quote_links l
      union all select data::text from events where resource = 'quote_link'`)
    expect(rows.length).toBeGreaterThan(1)
    expect(JSON.stringify(rows)).not.toContain(token)
  })
  it('409 for a draft and for a quote that was rejected, 404 for another organization', async () => {
    const { id: draft } = await draftQuote(acme)
    expect((await acme.staff.post(`/quotes/${draft}/links`, {})).status).toBe(409)
    const rejected = await sentQuote(acme)
    await buyer.post(`/quotes/${rejected}/reject`)
    expect((await acme.staff.post(`/quotes/${rejected}/links`, {})).status).toBe(409)
    expect((await other.staff.post(`/quotes/${await sentQuote(acme)}/links`, {})).status).toBe(404)
  })
  it('422 for an end that is past, or after the quote’s', async () => {
    const quote = await sentQuote(acme, { valid_until: '2099-02-28' })
    for (const expires_at of ['2020-01-01T00:00:00.000Z', '2099-03-01T03:00:00.001Z', 'soon'])
      expect((await acme.staff.post(`/quotes/${quote}/links`, { expires_at })).status).toBe(422)
    const expires_at = '2099-03-01T03:00:00.000Z'
    expect((await acme.staff.post(`/quotes/${quote}/links`, { expires_at })).data).toMatchObject({ expires_at })
  })
  it('403 for a member', async () => {
    expect((await buyer.post(`/quotes/${await sentQuote(acme)}/links`, {})).status).toBe(403)
  })
})

describe('POST /quotes/{id}/send', () => {
  it('mails a public link, which opens the quote; a second version has one of its own', async () => {
    const quote = await sentQuote(acme)
    const mailed = await mailedLink(app, buyer, `Q-${quote}`)
    expect((await open(mailed)).data).toMatchObject({ number: `Q-${quote}` })
    const { data: next } = await acme.staff.post(`/quotes/${quote}/revise`)
    await acme.staff.post(`/quotes/${next.id}/send`)
    expect((await open(await mailedLink(app, buyer, `Q-${quote}-v2`))).data).toMatchObject({
      number: `Q-${quote}-v2`,
      can_accept: true,
    })
    expect((await open(mailed)).data).toMatchObject({
      status: 'cancelled',
      can_accept: false,
      reason: `The quote was replaced by Q-${quote}-v2`,
      replaced_by: `Q-${quote}-v2`,
      document_sha256: null,
    })
  })
  it('mails no link that was revoked in the meantime', async () => {
    const quote = await sentQuote(acme)
    const [link] = await listed(quote)
    expect((await buyer.delete(`/quotes/${quote}/links/${link.id}`)).status).toBe(200)
    expect(await mailsTo(app, buyer.email)).toContainEqual(
      expect.objectContaining({ subject: expect.stringContaining(`Quote Q-${quote} `) }),
    )
    expect((await mailedLink(app, buyer, `Q-${quote}`)).token).toBe('')
  })
})

describe('GET /public/quotes/{token}', () => {
  it('200 with the offer and without ids of ours; the first view makes the quote viewed', async () => {
    const quote = await sentQuote(acme, { notes: 'Thank you' })
    const link = await linkOf(acme, quote)
    const answer = await open(link)
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(answer.headers['referrer-policy']).toBe('no-referrer')
    expect(answer.data).toMatchObject({
      number: `Q-${quote}`,
      status: 'viewed',
      customer: 'Açaí & “Cia” 🫐',
      total: '150.00',
      notes: 'Thank you',
      can_accept: true,
      reason: null,
      checkout_url: null,
      line_items: [{ product_name: 'Backup “Pro” 🚀', quantity: 5, total: '150.00' }],
    })
    expect(Object.keys(answer.data)).not.toContain('organization_id')
    expect(Object.keys(answer.data.line_items[0])).not.toContain('product_id')
    expect((await buyer.get(`/quotes/${quote}`)).data.status).toBe('viewed')
  })
  it('counts the views of each link, beside all changes', async () => {
    const quote = await sentQuote(acme)
    const link = await linkOf(acme, quote)
    await open(link)
    const first = app.clock.now.toISOString()
    app.clock.advance(60)
    await Promise.all([open(link), open(link), open(link)])
    await open(link, '/pdf')
    expect(await listed(quote)).toMatchObject([
      { id: link.id, view_count: 4, first_viewed_at: first, last_viewed_at: app.clock.now.toISOString() },
      { mailed: true, view_count: 0, first_viewed_at: null },
    ])
    expect(app.log.join('\n')).not.toContain(link.token)
  })
  it('the same 404 when it is unknown, changed, expired or revoked, or its organization is deleted', async () => {
    const gone = await app.world.organization()
    const quote = await sentQuote(acme)
    const [revoked, deleted] = [await linkOf(acme, quote), await linkOf(gone, await sentQuote(gone))]
    const expired = await linkOf(acme, quote, { expires_at: new Date(app.clock.now.getTime() + 60_000).toISOString() })
    for (const link of [revoked, expired, deleted]) expect((await open(link)).status).toBe(200)
    await acme.staff.delete(`/quotes/${quote}/links/${revoked.id}`)
    await app.database.query('update organizations set deleted_at = now() where id = $1', [gone.id])
    app.clock.advance(60)
    const links = [
      revoked,
      expired,
      deleted,
      { id: 0, token: 'unknown' },
      { id: 0, token: revoked.token.toLowerCase() },
    ]
    for (const act of ['', '/pdf']) {
      const answers = await Promise.all(links.map(async (link) => open(link, act)))
      expect(answers.map(({ status }) => status)).toEqual(links.map(() => 404))
      expect(new Set(answers.map(({ raw }) => raw.body)).size).toBe(1)
    }
  })
})

describe('GET /public/quotes/{token}/pdf', () => {
  it('200 with the bytes whose hash the quote shows, before and after the view, in each language', async () => {
    const link = await linkOf(acme, await sentQuote(acme))
    const hashes: string[] = []
    for (const language of ['pt-BR', 'en']) {
      const headers = { 'accept-language': language }
      const before = await opened(app, link, '/pdf', headers)
      const { document_sha256 } = (await opened(app, link, '', headers)).data
      app.clock.advance(3600)
      const after = await opened(app, link, '/pdf', headers)
      for (const { raw } of [before, after])
        expect(createHash('sha256').update(raw.rawPayload).digest('hex')).toBe(document_sha256)
      hashes.push(document_sha256)
    }
    expect(new Set(hashes).size).toBe(2)
  })
})

describe('DELETE /quotes/{id}/links/{link_id}', () => {
  it('200, also a second time; 404 for a link of another quote or organization', async () => {
    const [quote, second] = [await sentQuote(acme), await sentQuote(acme)]
    const link = await linkOf(acme, quote)
    expect((await buyer.delete(`/quotes/${second}/links/${link.id}`)).status).toBe(404)
    expect((await other.owner.delete(`/quotes/${quote}/links/${link.id}`)).status).toBe(404)
    for (const _time of [1, 2]) expect((await buyer.delete(`/quotes/${quote}/links/${link.id}`)).status).toBe(200)
    const { data: entries } = await acme.staff.get(`/audit-log?resource=quote_link&action=revoked`)
    const ofLink = entries.filter(({ resource_id }: { resource_id: number }) => resource_id === link.id)
    expect(ofLink).toHaveLength(1)
  })
})
