// The outbox: what became of each mail, and sending one again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MailRejected, MailTemporaryFailure, type MailMessage } from '#ports/mail.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Answer, Speaker } from '#test/harness/world.ts'
import { sentQuote } from '#test/scenes/commerce.ts'

let app: TestApp
let administrator: Speaker
let answer: 'takes' | 'refuses' | 'fails' = 'takes'
const sent: MailMessage[] = []
const send = async (message: MailMessage) => {
  if (answer === 'refuses') throw new MailRejected('550 mailbox unavailable')
  if (answer === 'fails') throw new MailTemporaryFailure('421 try later')
  sent.push(message)
}
beforeAll(async () => {
  app = await startApp({ ports: { mail: { send } } })
  administrator = await app.world.user({ roles: ['customer', 'administrator'] })
})
afterAll(() => app.close())

const mailsOf = async (query: string): Promise<Answer['data']> => {
  await app.service.worker.drain()
  return (await administrator.get(`/admin/mails?${query}`)).data
}

describe('GET /admin/mails', () => {
  it('200 with what was sent, to whom and about what, never with the text', async () => {
    answer = 'takes'
    const org = await app.world.organization()
    const quote = await sentQuote(org)
    const [mail, ...others] = await mailsOf(`organization_id=${org.id}`)
    expect(others).toEqual([])
    expect(mail).toEqual({
      id: expect.any(Number),
      organization_id: org.id,
      kind: 'quote-sent',
      resource_id: quote,
      user_id: org.owner.userId,
      email: org.owner.email.toLowerCase(),
      status: 'sent',
      subject: sent.at(-1)?.subject,
      error: null,
      attempts: 1,
      resend_of: null,
      created_at: app.clock.now.toISOString(),
      sent_at: app.clock.now.toISOString(),
    })
    expect((await administrator.get(`/admin/mails/${mail.id}`)).data).toEqual(mail)
    expect(await mailsOf(`email=${org.owner.email.toUpperCase()}&kind=quote-sent&status=sent`)).toEqual([mail])
    expect(await mailsOf(`organization_id=${org.id}&status=refused`)).toEqual([])
    const [stored] = await app.database.query('select to_jsonb(m)::text as text from mails m where id = $1', [mail.id])
    const link = /https?:\S+/.exec(sent.at(-1)?.text ?? '')?.[0] ?? 'no link'
    expect(stored?.['text']).not.toContain(link.split('/').at(-1))
  })
  it('200 without the subject for staff who may not read what the mail is about', async () => {
    answer = 'takes'
    const org = await app.world.organization()
    await sentQuote(org)
    const [mail] = await mailsOf(`organization_id=${org.id}`)
    const [support, sales] = await Promise.all(
      ['support', 'sales'].map((role) => app.world.user({ roles: ['customer', role] })),
    )
    for (const path of [`/admin/mails/${mail.id}`, `/admin/mails?organization_id=${org.id}`]) {
      expect([(await support?.get(path))?.data].flat()).toEqual([{ ...mail, subject: null }])
      expect([(await sales?.get(path))?.data].flat()).toEqual([mail])
    }
  })
  it('200 with mails about an account, which belong to no organization', async () => {
    answer = 'takes'
    const email = 'forgot@known.example'
    await app.world.user({ email })
    expect((await app.world.anonymous.post('/auth/forgot-password', { email })).status).toBe(202)
    const [mail] = await mailsOf(`email=${email}`)
    expect(mail).toMatchObject({ organization_id: null, kind: 'reset-password', status: 'sent', resource_id: null })
    const again = await administrator.post(`/admin/mails/${mail.id}/resend`)
    expect([again.status, again.errors?.reason]).toEqual([409, 'mail_of_account'])
  })
  it('200 with the error of one that failed or was refused, and 404 for none', async () => {
    const org = await app.world.organization()
    answer = 'fails'
    await sentQuote(org)
    await app.service.worker.drain()
    const [failed] = (await administrator.get(`/admin/mails?organization_id=${org.id}`)).data
    expect(failed).toMatchObject({ status: 'failed', error: '421 try later', sent_at: null })
    expect(failed.attempts).toBeGreaterThan(0)
    const again = await administrator.post(`/admin/mails/${failed.id}/resend`)
    expect([again.status, again.errors?.reason]).toEqual([409, 'already_in_progress'])
    expect((await administrator.get('/admin/mails/999999999')).status).toBe(404)
    expect((await org.owner.get('/admin/mails')).status).toBe(403)
  })
})

describe('POST /admin/mails/{id}/resend', () => {
  it('202 sends a refused one again, with a record of its own, and its dead letter is gone', async () => {
    const org = await app.world.organization()
    answer = 'refuses'
    await sentQuote(org)
    const [refused] = await mailsOf(`organization_id=${org.id}`)
    expect(refused).toMatchObject({ status: 'refused', error: '550 mailbox unavailable' })
    answer = 'takes'
    const again = await administrator.post(`/admin/mails/${refused.id}/resend`)
    expect([again.status, again.data.resend_of, again.data.status]).toEqual([202, refused.id, 'queued'])
    expect(await mailsOf(`organization_id=${org.id}`)).toMatchObject([{ status: 'sent' }, { status: 'refused' }])
    expect((await administrator.get(`/admin/jobs?organization_id=${org.id}`)).data).toEqual([])
    const [entry] = (await administrator.get('/admin/audit-log?log=service&action=administration')).data.filter(
      ({ changes }: Answer['data']) => changes.after.request === 'POST /admin/mails/{id}/resend',
    )
    expect(entry.changes.after.params).toEqual({ id: String(refused.id) })
  })
  it('202 for one of many at once, and 409 for the others until it has left', async () => {
    answer = 'takes'
    const org = await app.world.organization()
    await sentQuote(org)
    const [mail] = await mailsOf(`organization_id=${org.id}`)
    const resend = () => administrator.post(`/admin/mails/${mail.id}/resend`)
    const answers = await Promise.all(Array.from({ length: 64 }, resend))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(63)
    expect(await mailsOf(`organization_id=${org.id}`)).toMatchObject([{ status: 'sent' }, { status: 'sent' }])
    expect((await resend()).status).toBe(202)
  })
  it('202 and dropped where the recipient may not get it any more', async () => {
    answer = 'takes'
    const org = await app.world.organization()
    const member = await org.member({ scopes: ['quotes'] })
    await sentQuote(org)
    const [mail] = await mailsOf(`email=${member.email}`)
    await app.database.query('update collaborators set can_manage_quotes = false where user_id = $1', [member.userId])
    expect((await administrator.post(`/admin/mails/${mail.id}/resend`)).status).toBe(202)
    expect(await mailsOf(`email=${member.email}`)).toMatchObject([{ status: 'dropped' }, { status: 'sent' }])
  })
  it('200 and nothing is left of what is older than NOTICES_DAYS', async () => {
    await app.database.query(`update mails set created_at = '2020-01-01'`)
    await app.database.query(`update inbox_entries set created_at = '2020-01-01'`)
    for (const kind of ['mails/forget', 'me/forget-entries'])
      await app.database.query(`insert into jobs (kind, run_at) values ($1, $2)`, [kind, app.clock.now])
    expect(await mailsOf('')).toEqual([])
    expect(await app.database.query('select id from inbox_entries')).toEqual([])
  })
})
