// Announcements: the recipients of a mail, when the job is enqueued and when it is sent.
import { describe, expect, it } from 'vitest'
import { MailRejected, type MailMessage } from '#ports/mail.ts'
import { enqueueMail, mailsTo } from '#test/harness/mailbox.ts'
import type { Speaker } from '#test/harness/world.ts'
import { deadLetters, sentQuote } from '#test/scenes/commerce.ts'
import { appOfFile, startApp } from '#test/harness/app.ts'

const app = await appOfFile()
const acme = await app.world.organization()

const subjectsTo = async ({ email }: Speaker) => (await mailsTo(app, email)).map(({ subject }) => subject)

describe('an announcement', () => {
  it('is mailed once to each member with the scope, and to nobody else', async () => {
    const [member, other] = [await acme.member({ scopes: ['quotes'] }), await acme.member({ scopes: ['tickets'] })]
    await sentQuote(acme)
    for (const who of [member, acme.owner]) expect(await subjectsTo(who)).toHaveLength(1)
    expect(await subjectsTo(other)).toEqual([])
  })

  it('keeps the order of one record, and waits for no other, not even for one of the same number', async () => {
    const org = await app.world.organization()
    const quote = await sentQuote(org)
    const jobs = await app.database.query<{ key: string }>(
      `select key from jobs where kind = 'notifications/announce' and organization_id = $1`,
      [org.id],
    )
    expect(jobs).toEqual([{ key: `notifications/announce:quote:${quote}:${org.id}` }])
  })

  it.each([
    ['lost the scope', 'update collaborators set can_manage_quotes = false where user_id = $1'],
    ['left', `update collaborators set expired_at = '2020-01-01' where user_id = $1`],
    ['has been disabled', 'update users set disabled_at = now() where id = $1'],
    ['has not proven the address', `update users set status = 'PENDING' where id = $1`],
  ])('is not mailed to a member who %s meanwhile', async (_what, change) => {
    const quote = await sentQuote(acme)
    const member = await acme.member({ scopes: ['quotes'] })
    await app.database.query(change, [member.userId])
    await enqueueMail(app, acme.id, { mail: 'quote-sent', resource_id: quote, user_id: member.userId })
    expect(await subjectsTo(member)).toEqual([])
    expect(await deadLetters(app)).toEqual([])
  })

  it('is not mailed to an organization that was deleted meanwhile', async () => {
    const gone = await app.world.organization()
    const quote = await sentQuote(gone)
    await app.database.query('update organizations set deleted_at = now() where id = $1', [gone.id])
    await enqueueMail(app, gone.id, { mail: 'quote-sent', resource_id: quote, user_id: gone.owner.userId })
    expect(await subjectsTo(gone.owner)).toEqual([])
  })

  it('becomes a dead letter with the name of the mail when this version does not have it', async () => {
    await enqueueMail(app, acme.id, { mail: 'quote-forgotten', resource_id: 1, user_id: acme.owner.userId })
    await app.service.worker.drain()
    expect((await deadLetters(app)).map(({ last_error }) => last_error)).toEqual([
      expect.stringContaining('no announcement is mailed as quote-forgotten'),
    ])
  })

  it('reaches the others when the mail of one is refused', async () => {
    const sent: MailMessage[] = []
    const send = async (message: MailMessage) => {
      if (message.to.startsWith('full-')) throw new MailRejected('mailbox full')
      sent.push(message)
    }
    const other = await startApp({ ports: { mail: { send } } })
    try {
      const org = await other.world.organization()
      await org.member({ scopes: ['quotes'], email: 'full-1@example.com' })
      const member = await org.member({ scopes: ['quotes'] })
      await sentQuote(org)
      await other.service.worker.drain()
      expect(sent.map(({ to }) => to).toSorted()).toEqual([org.owner.email, member.email].toSorted())
      expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(2)
      expect((await deadLetters(other)).map(({ kind }) => kind)).toEqual(['notifications/mail'])
    } finally {
      await other.close()
    }
  })
})
