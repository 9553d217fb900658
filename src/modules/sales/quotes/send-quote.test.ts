// Sending a quote to people without an account, again, and with another date.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import type { Organization } from '#test/harness/world.ts'
import { draftQuote, sentQuote } from '#test/scenes/commerce.ts'

const app = await appOfFile()
const acme = await app.world.organization({ country: 'BR' })
let count = 0
const address = () => `prospect-${(count += 1)}@acme.example`
const send = (org: Organization, id: number, recipients?: string[]) =>
  org.staff.post(`/quotes/${id}/send`, recipients && { recipients })
const mailsAbout = async (email: string, number: string) => {
  await app.service.worker.drain()
  return (await mailsTo(app, email)).filter(({ subject }) => subject.includes(number))
}

describe('POST /quotes/{id}/send', () => {
  it('200 mails the recipients too, with the link, in the language of the country', async () => {
    const [id, email] = [(await draftQuote(acme)).id, address()]
    const { status, data } = await send(acme, id, [email])
    expect([status, data.status, data.recipients]).toEqual([200, 'sent', [email]])
    const [mail, ...more] = await mailsAbout(email, data.number)
    expect(more).toEqual([])
    expect(mail?.text).toMatch(/\/quotes\/[\w-]{43}/)
    expect(mail?.subject).toContain('Orçamento')
    expect(await mailsAbout(acme.owner.email, data.number)).toHaveLength(1)
  })
  it('200 again for one that is open, to another recipient as well; the number stays', async () => {
    const id = await sentQuote(acme)
    await app.service.worker.drain()
    const email = address()
    const { status, data } = await send(acme, id, [email])
    expect([status, data.number, data.recipients]).toEqual([200, `Q-${id}`, [email]])
    expect(await mailsAbout(email, data.number)).toHaveLength(1)
    expect(await mailsAbout(acme.owner.email, data.number)).toHaveLength(1)
  })
  it('200 mails who is only invited', async () => {
    const org = await app.world.organization({ country: 'BR' })
    const email = address()
    expect(
      (
        await org.owner.post(`/organizations/${org.id}/collaborators`, {
          email,
          role: 'member',
          can_manage_quotes: true,
        })
      ).status,
    ).toBe(201)
    const { data } = await send(org, (await draftQuote(org)).id)
    expect(await mailsAbout(email, data.number)).toHaveLength(1)
  })
  it('once to a recipient who is a member', async () => {
    const { data } = await send(acme, (await draftQuote(acme)).id, [acme.owner.email])
    expect(await mailsAbout(acme.owner.email, data.number)).toHaveLength(1)
  })
  it('429 for the sixth mail to an address in a day, 422 for too many or no address, 409 once it is accepted', async () => {
    const [id, email] = [(await draftQuote(acme)).id, address()]
    expect((await send(acme, id, [email])).status).toBe(200)
    await app.service.worker.drain()
    for (const status of [200, 200, 200, 200, 429]) expect((await send(acme, id, [email])).status).toBe(status)
    expect((await send(acme, id, ['x'])).status).toBe(422)
    expect((await send(acme, id, Array.from({ length: 11 }, address))).status).toBe(422)
    expect((await acme.owner.post(`/quotes/${id}/accept`)).status).toBe(200)
    expect((await send(acme, id)).status).toBe(409)
  })
})

const change = (org: Organization, id: number, valid_until: string) =>
  org.staff.put(`/quotes/${id}/valid-until`, { valid_until })

describe('PUT /quotes/{id}/valid-until', () => {
  it('200 keeps the number, and the mailed link lasts as long', async () => {
    const id = await sentQuote(acme)
    const { status, data } = await change(acme, id, '2998-12-31')
    expect([status, data.number, data.valid_until]).toEqual([200, `Q-${id}`, '2998-12-31'])
    const [link] = (await acme.staff.get(`/quotes/${id}/links`)).data
    expect(link.expires_at).toBe('2999-01-01T03:00:00.000Z')
  })
  it('422 for a day that has passed, 409 for a draft, 403 for the customer, 404 elsewhere', async () => {
    const [id, draft] = [await sentQuote(acme), (await draftQuote(acme)).id]
    expect((await change(acme, id, '2020-01-01')).status).toBe(422)
    expect((await change(acme, draft, '2998-12-31')).status).toBe(409)
    expect((await acme.owner.put(`/quotes/${id}/valid-until`, { valid_until: '2998-12-31' })).status).toBe(403)
    expect((await change(await app.world.organization(), id, '2998-12-31')).status).toBe(404)
  })
})
