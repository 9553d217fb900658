// POST /webhooks/mail: mails that Postmark passes on, and the results of the receiving server that a setting asks for.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { rawMail, answerScene, type Sent } from '#test/scenes/answers.ts'
import { basic } from '#test/scenes/vendor-keys.ts'

const SECRET = 'a-secret-of-the-webhook'
const app = await appOfFile({
  environment: {
    MAIL_REPLIES: 'postmark',
    MAIL_REPLY_TO: 'support@reply.vendor.example',
    MAIL_WEBHOOK_SECRETS: SECRET,
    MAIL_AUTHSERV_ID: 'mx.vendor.example',
  },
})
const scene = await answerScene(app)
const { acme, agent, asked, bodies } = scene
const PASSED = 'Authentication-Results: mx.vendor.example; dmarc=pass header.from=example.com'
const signed = { authorization: basic('postmark', SECRET) }

const send = (body: object | string, headers: Record<string, string> = signed) =>
  app.world.anonymous.post('/webhooks/mail', body, headers)
const sendMail = (mail: Sent) => send({ RawEmail: rawMail({ headers: [PASSED], ...mail }).toString('utf8') })

const newest = async () => (await acme.staff.get('/admin/inbound-events?source=postmark&per_page=1')).data[0]

describe('POST /webhooks/mail', () => {
  it('200 stores the answer, which becomes a comment; a repeat does nothing', async () => {
    const { id, to } = await asked()
    expect(to).toMatch(/^support\+.*@reply\.vendor\.example$/)
    const mail = { from: agent.email, to, messageId: '<one@acme.example>', text: 'Ação 🙂' }
    expect(await sendMail(mail)).toMatchObject({ status: 200, message: 'Event stored' })
    expect(await sendMail(mail)).toMatchObject({ status: 200, message: 'Event known already' })
    const [one, two] = await Promise.all([
      sendMail({ ...mail, messageId: '<2@a.b>' }),
      sendMail({ ...mail, messageId: '<2@a.b>' }),
    ])
    expect([one.status, two.status]).toEqual([200, 200])
    await scene.work()
    expect(await bodies(id)).toEqual(['We look', 'Ação 🙂', 'Ação 🙂'])
    expect(await newest()).toMatchObject({ type: 'mail.answer', state: 'handled' })
  })
  it('401 without the secret, also with a key of the vendor, and nothing is stored', async () => {
    const { to } = await asked()
    const before = (await newest())?.id
    const body = { RawEmail: rawMail({ from: agent.email, to }).toString() }
    for (const headers of [{}, { authorization: basic('postmark', 'wrong') }, { authorization: basic(SECRET, '') }])
      expect((await send(body, headers)).status).toBe(401)
    expect((await newest())?.id).toBe(before)
  })
  it('200 for one without the raw content, which waits for staff with what to do', async () => {
    expect((await send({ From: 'ana@acme.example', TextBody: 'Hi' })).status).toBe(200)
    expect(await newest()).toMatchObject({ state: 'unreadable', error: expect.stringContaining('RawEmail') })
  })
  it('413 for a mail whose request has more than 1 MiB', async () => {
    expect((await send({ RawEmail: 'x'.repeat(1024 * 1024) })).status).toBe(413)
  })
  it('refuses a sender for whom the receiving server does not vouch', async () => {
    const { id, to } = await asked()
    const forged = 'Authentication-Results: mx.evil.example; dmarc=pass header.from=example.com'
    for (const headers of [[], [forged], [PASSED.replace('pass', 'fail'), PASSED]]) {
      expect((await sendMail({ from: agent.email, to, headers })).status).toBe(200)
      await scene.work()
      expect(await newest()).toMatchObject({
        state: 'failed',
        error: expect.stringMatching(/mx\.vendor\.example does not say/),
      })
    }
    expect(await bodies(id)).toEqual(['We look'])
  })
})
