// The next version of a quote: an invisible draft that replaces the previous version when it is sent.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { buyerOf, draftQuote, LICENSE_LINE, sentQuote } from '#test/scenes/commerce.ts'
import { mailsTo } from '#test/harness/mailbox.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const other = await app.world.organization()
const buyer = await buyerOf(acme)

const at = (id: number, act = '') => `/quotes/${id}${act}`
const revise = (id: number) => acme.staff.post(at(id, '/revise'))
const draftOf = async (id: number) => {
  const answer = await revise(id)
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.data
}
const send = (id: number) => acme.staff.post(at(id, '/send'))

describe('POST /quotes/{id}/revise', () => {
  it('201 with a draft of the same content, the next version and its number', async () => {
    const lines = [{ ...LICENSE_LINE, discount_percent: '10', tax_percent: '5' }]
    const more = { notes: 'as agreed', purchase_order: 'PO-1', affiliate_code: 'AFL-2026110001' }
    const id = await sentQuote(acme, { ...more, line_items: lines })
    const first = (await acme.staff.get(at(id))).data
    const draft = await draftOf(id)
    const own = { id: draft.id, number: `Q-${id}-v2`, version: 2, status: 'draft', supersedes_id: id, sent_at: null }
    const { created_at, updated_at } = draft
    expect(draft).toEqual({ ...first, ...own, created_at, updated_at })
    expect((await acme.staff.put(at(draft.id), { line_items: [LICENSE_LINE] })).data.total).toBe('150.00')
  })
  it('201 and the draft is invisible to customers, also when it is cancelled; they may accept the previous version', async () => {
    const id = await sentQuote(acme)
    const before = (await buyer.get(at(id))).data
    const dropped = await draftOf(id)
    expect((await acme.staff.post(at(dropped.id, '/cancel'))).status).toBe(200)
    const draft = await draftOf(id)
    expect(draft.number).toBe(`Q-${id}-v3`)
    for (const unseen of [dropped, draft]) {
      expect((await buyer.get(at(unseen.id))).status).toBe(404)
      expect((await buyer.get(at(unseen.id, '/pdf'))).status).toBe(404)
      expect((await buyer.post(at(unseen.id, '/preview'))).status).toBe(404)
    }
    expect((await buyer.get(at(id))).data).toEqual(before)
    const seen = await buyer.get('/quotes?per_page=100')
    expect(JSON.stringify(seen.data)).not.toMatch(/-v[23]"/)
    const found = await acme.owner.get(`/search?q=Q-${id}`)
    expect(found.data.map((one: { id: number }) => one.id)).toEqual([id])
    const log = await acme.owner.get('/audit-log?resource=quote&per_page=100')
    expect(log.data.filter((one: { resource_id: number }) => one.resource_id > id)).toEqual([])
    expect((await buyer.post(at(id, '/accept'))).status).toBe(200)
    const late = await send(draft.id)
    expect(late).toMatchObject({ status: 409, message: `Q-${id}, which this one replaces, is accepted` })
    expect((await acme.staff.get(at(draft.id))).data.status).toBe('draft')
  })
  it('409 for a draft, an accepted, a cancelled and a replaced quote', async () => {
    const accepted = await sentQuote(acme)
    await buyer.post(at(accepted, '/accept'))
    const cancelled = await sentQuote(acme)
    await acme.staff.post(at(cancelled, '/cancel'))
    const replaced = await sentQuote(acme)
    await send((await draftOf(replaced)).id)
    for (const id of [(await draftQuote(acme)).id, accepted, cancelled]) expect((await revise(id)).status).toBe(409)
    expect(await revise(replaced)).toMatchObject({ status: 409, message: `The quote was replaced by Q-${replaced}-v2` })
  })
  it('403 for customers, 404 for another organization’s', async () => {
    const id = await sentQuote(acme)
    expect((await buyer.post(at(id, '/revise'))).status).toBe(403)
    expect((await other.staff.post(at(id, '/revise'))).status).toBe(404)
  })
  it('creates one draft for 16 requests at once', async () => {
    const id = await sentQuote(acme)
    const answers = await Promise.all(Array.from({ length: 16 }, () => revise(id)))
    const statuses = answers.map(({ status }) => status).toSorted((one, two) => one - two)
    expect(statuses).toEqual([201, ...Array(15).fill(409)])
    expect(await app.database.query('select id from quotes where supersedes_id = $1', [id])).toHaveLength(1)
  })
  it.each(['expired', 'rejected'])(
    '201 for a quote that is %s, which keeps its status and gets the link to the next version',
    async (status) => {
      const id = await sentQuote(acme)
      await app.database.query('update quotes set status = $1 where id = $2', [status, id])
      const draft = await draftOf(id)
      expect((await send(draft.id)).status).toBe(200)
      expect((await buyer.get(at(id))).data).toMatchObject({ status, superseded_by_id: draft.id })
    },
  )
})

describe('sending a next version', () => {
  it('cancels the previous one in the same transaction, links both, and a 409 for the old one names the new number', async () => {
    const id = await sentQuote(acme)
    await buyer.get(at(id))
    const second = await draftOf(id)
    expect((await send(second.id)).data.status).toBe('sent')
    expect((await buyer.get(at(id))).data).toMatchObject({ status: 'cancelled', superseded_by_id: second.id })
    const answer = await buyer.post(at(id, '/accept'))
    expect(answer).toMatchObject({ status: 409, message: `The quote was replaced by Q-${id}-v2` })
    const third = await draftOf(second.id)
    expect(third).toMatchObject({ number: `Q-${id}-v3`, version: 3, supersedes_id: second.id })
    await send(third.id)
    expect((await buyer.post(at(third.id, '/accept'))).status).toBe(200)
    expect((await buyer.get(at(second.id))).data).toMatchObject({ status: 'cancelled', superseded_by_id: third.id })
    const events = await app.database.query<{ type: string }>(
      `select type from events where resource = 'quote' and resource_id = $1 order by id`,
      [id],
    )
    expect(events.map(({ type }) => type)).toEqual(
      ['created', 'sent', 'viewed', 'superseded'].map((what) => `titular/quote/${what}`),
    )
    const found = await buyer.get(`/search?q=Q-${id}-v3`)
    expect(found.data).toMatchObject([{ id: third.id }])
  })
  it('never happens together with an acceptance of the old one', async () => {
    for (let round = 0; round < 8; round++) {
      const id = await sentQuote(acme)
      const draft = await draftOf(id)
      const [accepted, sent] = await Promise.all([buyer.post(at(id, '/accept')), send(draft.id)])
      expect(new Set([accepted.status, sent.status])).toEqual(new Set([200, 409]))
      const superseded = (await acme.staff.get(at(id))).data.superseded_by_id
      expect(superseded).toBe(sent.status === 200 ? draft.id : null)
    }
  })
  it('is 409 when the date has passed, and changes nothing', async () => {
    const id = await sentQuote(acme)
    const draft = await draftOf(id)
    await app.database.query(`update quotes set valid_until = '2020-01-01' where id = $1`, [draft.id])
    expect((await send(draft.id)).status).toBe(409)
    expect((await buyer.get(at(id))).data).toMatchObject({ status: 'viewed', superseded_by_id: null })
  })
  it('mails the new one with the number that it replaces; a late mail about the old one is not sent', async () => {
    const org = await app.world.organization()
    await app.service.worker.drain()
    const id = await sentQuote(org)
    const { data: draft } = await org.staff.post(at(id, '/revise'))
    await org.staff.post(at(draft.id, '/send'))
    const mails = await mailsTo(app, org.owner.email)
    const about = mails.filter(({ subject }) => subject.includes('Q-'))
    expect(about.map(({ subject }) => subject)).toEqual([expect.stringContaining(`Q-${id}-v2`)])
    expect(about[0]?.text).toMatch(new RegExp(`(replaces quote|substitui o orçamento) Q-${id},`))
  })
})
