// The link in a mail that switches mails of its kind off: the header of mail programs, the page, the endpoint behind both.
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MailMessage } from '#ports/mail.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'
import { sentQuote } from '#test/scenes/commerce.ts'

let app: TestApp
let acme: Organization
const sent: MailMessage[] = []
beforeAll(async () => {
  app = await startApp({
    listens: true,
    ports: { mail: { send: async (message: MailMessage) => void sent.push(message) } },
  })
  acme = await app.world.organization({ name: 'Açaí & “Cia” <b>' })
})
afterAll(() => app.close())

const mailsTo = async (email: string) => {
  await app.service.worker.drain()
  return sent.filter(({ to }) => to === email)
}
/** A member, and the path of the link in a mail that they got. */
async function subscriber() {
  const member = await acme.member({ scopes: ['quotes'] })
  await sentQuote(acme)
  const [mail] = await mailsTo(member.email)
  const path = new URL(mail?.unsubscribeUrl ?? 'none:').pathname
  return { member, mail, path, token: path.split('/').at(-1) ?? '' }
}
const load = (url: string, language = 'en') => app.service.app.inject({ url, headers: { 'accept-language': language } })
const submit = (url: string, payload: string, type = 'application/x-www-form-urlencoded') =>
  app.service.app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
const statusOf = (method: string, path: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(app.url)
    request({ hostname, port, path, method }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })
const put = (token: string, body: object = { mail: false }) =>
  app.world.anonymous.put(`/public/notices/${encodeURIComponent(token)}`, body)
const mailOf = async (member: Speaker) =>
  (await member.get('/me/notice-preferences')).data.preferences.find(
    ({ kind }: { kind: string }) => kind === 'quote-sent',
  )

describe('a mail that may be switched off', () => {
  it('has the link in its header and in its footer; a mandatory one and one about the account have none', async () => {
    const { member, mail } = await subscriber()
    expect(mail?.text).toContain(`No more e-mails of this kind:\n${mail?.unsubscribeUrl}`)
    expect(mail?.html).toContain(`href="${mail?.unsubscribeUrl}"`)
    await acme.staff.post('/invoices', { currency: 'BRL', company: 'entity_br', total: 100, status: 'open' })
    await app.world.anonymous.post('/auth/forgot-password', { email: member.email })
    await mailsTo(member.email)
    const others = sent.filter(({ subject }) => !subject.includes('uote'))
    expect(others.length).toBeGreaterThan(1)
    for (const { unsubscribeUrl, text } of others) {
      expect(unsubscribeUrl).toBeUndefined()
      expect(text).not.toContain('unsubscribe')
    }
  })
})

describe('POST /unsubscribe/{token}', () => {
  it.each([
    ['a form', 'List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded'],
    [
      'parts',
      '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--',
      'multipart/form-data; boundary=x',
    ],
    ['nothing', '', 'text/plain'],
  ])('200 by one click with %s: no more mails, but entries in the inbox', async (_what, payload, type) => {
    const { member, path } = await subscriber()
    expect((await submit(path, payload, type)).statusCode).toBe(200)
    const count = (await mailsTo(member.email)).length
    await sentQuote(acme)
    expect(await mailsTo(member.email)).toHaveLength(count)
    expect((await member.get('/me/inbox')).data).toHaveLength(2)
    expect(await mailOf(member)).toEqual({
      kind: 'quote-sent',
      name: 'New quotes',
      mandatory: false,
      mail: false,
      inbox: true,
    })
    const again = await submit(path, 'mail=on')
    expect([again.statusCode, (await mailOf(member)).mail]).toEqual([200, true])
  })
  it('200 of many at once', async () => {
    const { path } = await subscriber()
    const answers = await Promise.all(Array.from({ length: 64 }, () => submit(path, '')))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  })
})

describe('GET /unsubscribe/{token}', () => {
  it.each([
    ['en', 'No more e-mails of this kind', 'New quotes'],
    ['pt-BR', 'Desativar estes e-mails', 'Novos orçamentos'],
  ])('200 in %s, escaped, for forms only, and switches nothing off', async (language, title, name) => {
    const { member, path } = await subscriber()
    const { statusCode, headers, body } = await load(path, language)
    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(headers['content-security-policy']).toContain("form-action 'self'")
    for (const words of [title, name, 'Açaí &amp; “Cia” &lt;b&gt;']) expect(body).toContain(words)
    expect(body).not.toContain('<script')
    expect((await mailOf(member)).mail).toBe(true)
  })
  it('404 with one page for all links that switch nothing off', async () => {
    const { path } = await subscriber()
    for (const wrong of [`${path}x`, '/unsubscribe/x', `/unsubscribe/${'x'.repeat(400)}`]) {
      const answer = await load(wrong)
      expect([answer.statusCode, answer.body.includes('no longer counts')]).toEqual([404, true])
      expect(answer.body).toContain('<h1>Nothing was switched off</h1>')
      expect((await submit(wrong, '')).statusCode).toBe(404)
    }
    // As they come over a connection: a client would take the dots for a part of the address.
    for (const dots of ['/unsubscribe/..', '/unsubscribe/%2e%2e', '/quotes/..', '/quotes/%2E%2E'])
      for (const method of ['GET', 'POST']) expect(await statusOf(method, dots), `${method} ${dots}`).toBe(404)
  })
})

describe('PUT /public/notices/{token}', () => {
  it('200 and 422', async () => {
    const { token } = await subscriber()
    const { status, data } = await put(token)
    expect([status, data]).toEqual([
      200,
      {
        kind: 'quote-sent',
        name: 'New quotes',
        organization_name: 'Açaí & “Cia” <b>',
        mail: false,
        has_inbox: true,
      },
    ])
    expect((await app.world.anonymous.get(`/public/notices/${token}`)).data).toEqual(data)
    expect(Object.keys((await put(token, {})).errors?.fields ?? {})).toEqual(['mail'])
  })
  it('404 for another person, organization or kind in the same token', async () => {
    const [{ member, token }, other] = [await subscriber(), await app.world.organization()]
    const [org, user, kind, mac] = token.split('.')
    for (const forged of [
      [other.id, user, kind, mac],
      [org, acme.owner.userId, kind, mac],
      [org, user, 'invoice-open', mac],
      [org, user, 'ticket-opened', mac],
      [org, user, kind, 'x'.repeat(43)],
      ['999999999999999', user, kind, mac],
    ])
      expect((await put(forged.join('.'))).status).toBe(404)
    expect((await mailOf(member)).mail).toBe(true)
  })
  it.each([
    ['has another address', `update users set email = 'moved-' || email where id = $1`],
    ['is disabled', 'update users set disabled_at = now() where id = $1'],
    [
      'has lost its organization',
      `update organizations o set deleted_at = now() from collaborators c where c.organization_id = o.id and c.user_id = $1`,
    ],
  ])('404 once the account %s', async (_what, change) => {
    const { member, token } = await subscriber()
    await app.database.query(change, [member.userId])
    expect((await put(token)).status).toBe(404)
  })
})
