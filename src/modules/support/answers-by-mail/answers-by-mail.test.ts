// Answers to the mails about tickets: who may write a comment so, what becomes of the text, and what is refused.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import { answerScene, rawMail } from '#test/scenes/answers.ts'

const app = await appOfFile()
const scene = await answerScene(app)
const { acme, agent, asked, bodies, expectRefused } = scene

const say = (id: number, body = 'We look', more: object = {}) =>
  acme.staff.post(`/tickets/${id}/comments`, { body, ...more })

describe('the mails about a ticket', () => {
  it('are answered at an address of their own, which names no one, and say so', async () => {
    const { to } = await asked()
    expect(to).toMatch(/^answers\+[0-9a-z]+-[0-9a-z]+-[0-9a-z]+-[0-9a-z]{25}@titular\.example$/)
    const box = app.service.sandbox?.mail
    const mail = await box?.read((await box.list()).find((one) => one.to === agent.email)?.name ?? '')
    expect(mail?.text).toContain('Answer this e-mail to comment on the ticket.')
  })
  it('have no such address for staff, for who may not comment, nor for who has to sign in by other means', async () => {
    const staff = await acme.staffAs('support')
    const reader = await acme.member({ scopes: ['entitlements'] })
    const id = await scene.open()
    await acme.staff.patch(`/tickets/${id}`, { assignee_id: staff.userId })
    await acme.staff.post(`/tickets/${id}/watchers`, { user_id: reader.userId })
    await say(id)
    await scene.work()
    expect(await scene.replyAddress(staff)).toBe('')
    expect(await scene.replyAddress(reader)).toBe('')
    expect(await scene.replyAddress(agent)).not.toBe('')
    await app.database.query(`update organizations set sso_domains = '{example.com}' where id = $1`, [acme.id])
    await say(id)
    const address = await scene.replyAddress(agent)
    await app.database.query(`update organizations set sso_domains = '{}' where id = $1`, [acme.id])
    expect(address).toBe('')
  })
})

describe('an answer', () => {
  it('becomes a public comment of the member, without what it quotes, and staff are told as of any other', async () => {
    const { id, to } = await asked()
    const text = 'Sim, às 14h 🙁\r\n\r\nEm seg., 2 de nov. de 2026, Titular <x@y.example> escreveu:\r\n> We look\r\n'
    await scene.answer({ from: `"O'Neil & Cia" <${agent.email.toUpperCase()}>`, to, text })
    const [, comment] = await scene.comments(id)
    expect(comment).toMatchObject({
      body: 'Sim, às 14h 🙁',
      internal: false,
      by_staff: false,
      author_id: agent.userId,
      author_name: expect.stringMatching(/^Person /),
    })
    expect(await scene.newest()).toMatchObject({ type: 'mail.answer', state: 'handled', error: null })
    const log = await acme.owner.get('/audit-log?resource=ticket_comment&per_page=1')
    expect(log.data[0]).toMatchObject({ action: 'created', resource_id: comment.id, actor_id: agent.userId })
    expect((await acme.owner.get(`/tickets/${id}/comments`)).data[1]).toEqual(comment)
  })
  it('opens a resolved ticket and sets a waiting one in progress', async () => {
    for (const [status, then] of [
      ['resolved', 'open'],
      ['waiting', 'in_progress'],
    ]) {
      const { id, to } = await asked()
      await acme.staff.post(`/tickets/${id}/status`, { status })
      await scene.answer({ from: agent.email, to })
      expect((await agent.get(`/tickets/${id}`)).data.status).toBe(then)
      const [last] = (await agent.get(`/tickets/${id}/history`)).data.slice(-1)
      expect(last).toMatchObject({ to_status: then, changed_by: agent.userId })
    }
  })
  it('is taken once: repeated, delivered twice at once, and handled again by staff', async () => {
    const { id, to } = await asked()
    const mail = rawMail({ from: agent.email, to })
    await scene.answer(mail)
    await scene.answer(mail)
    await Promise.all([scene.answer(mail), scene.look()])
    expect(await bodies(id)).toHaveLength(2)
    const { id: event } = await scene.newest()
    expect((await acme.staff.post(`/admin/inbound-events/${event}/replay`)).status).toBe(200)
    await scene.work()
    expect(await bodies(id)).toHaveLength(2)
    expect((await scene.newest()).state).toBe('handled')
    const without = rawMail({ from: agent.email, to, messageId: null, text: 'No id' })
    await scene.answer(without)
    await scene.answer(without)
    expect(await bodies(id)).toHaveLength(3)
  })
  it('waits in the mailbox while the database refuses it, and is taken then', async () => {
    const { id, to } = await asked()
    await app.database.query(
      `alter table provider_events add constraint no_mail check (source <> 'sandbox-mail') not valid`,
    )
    await scene.answer({ from: agent.email, to })
    expect(await bodies(id)).toHaveLength(1)
    await app.database.query(`alter table provider_events drop constraint no_mail`)
    await scene.look()
    expect(await bodies(id)).toHaveLength(2)
  })
  it('comes after those that were sent before', async () => {
    const { id, to } = await asked()
    for (const text of ['one', 'two', 'three'])
      await app.service.sandbox?.mail?.answers.deliver(rawMail({ from: agent.email, to, text }))
    await scene.look()
    expect(await bodies(id)).toEqual(['We look', 'one', 'two', 'three'])
  })
})

/** The comments stay as they are, and staff see why. */
describe('an answer is refused', () => {
  it('from another member’s address, a stranger’s, or several', async () => {
    const other = await acme.member({ scopes: ['tickets'] })
    const { id, to } = await asked()
    for (const from of [other.email, `"${agent.email}" <eve@evil.example>`, `${agent.email}, eve@evil.example`]) {
      await scene.answer({ from, to })
      await expectRefused(id, new RegExp(`The answer is from .*, and the reply address was made for ${agent.email}`))
    }
  })
  it('by somebody who has left, lost the scope, may not see the ticket any more, or is disabled', async () => {
    const changes = {
      left: [`update collaborators set expired_at = now() - interval '1 day' where user_id = $1`],
      scope: [`update collaborators set can_manage_tickets = false where user_id = $1`],
      sight: [`update collaborators set ticket_visibility = 'own' where user_id = $1`],
      disabled: [`update users set disabled_at = now() where id = $1`],
      unproven: [`update users set status = 'PENDING' where id = $1`],
      factor: [
        `update organizations set require_mfa = $1 > 0 where id = ${acme.id}`,
        `update organizations set require_mfa = $1 < 0 where id = ${acme.id}`,
      ],
    }
    for (const [change = '', undo] of Object.values(changes)) {
      const member = await acme.member({ scopes: ['tickets'] })
      const id = await scene.open()
      await acme.staff.post(`/tickets/${id}/watchers`, { user_id: member.userId })
      await say(id)
      const to = await scene.replyAddress(member)
      await app.database.query(change, [member.userId])
      await scene.answer({ from: member.email, to })
      if (undo !== undefined) await app.database.query(undo, [member.userId])
      await expectRefused(id, /may not comment on the ticket any more/)
    }
  })
  it('when there were 20 to a ticket within an hour', async () => {
    const { id, to } = await asked()
    for (let count = 0; count < 20; count++)
      await app.service.sandbox?.mail?.answers.deliver(rawMail({ from: agent.email, to, text: `loop ${count}` }))
    await scene.look()
    await scene.answer({ from: agent.email, to })
    expect(await bodies(id)).toHaveLength(21)
    expect((await scene.newest()).error).toMatch(/20 answers by mail to the ticket within an hour/)
    app.clock.advance(3601)
    await scene.answer({ from: agent.email, to, text: 'later' })
    expect(await bodies(id)).toHaveLength(22)
  })
  it('when nothing is in it', async () => {
    const { id, to } = await asked()
    await scene.answer({ from: agent.email, to, text: ' \r\n' })
    await expectRefused(id, /neither text nor files/)
  })
})

const mails = () => mailsTo(app, agent.email)

describe('an answer to a ticket that has ended', () => {
  it('is told to its sender once, with what to do; it changes nothing, and later mails have no address', async () => {
    for (const status of ['closed', 'cancelled']) {
      const { id, to } = await asked()
      await acme.staff.post(`/tickets/${id}/status`, { status })
      expect(await scene.replyAddress(agent)).toBe('')
      const before = (await mails()).length
      const mail = rawMail({ from: agent.email, to })
      await scene.answer(mail)
      await scene.answer(mail)
      expect(await bodies(id)).toEqual(['We look'])
      expect(await scene.newest()).toMatchObject({ state: 'handled', error: null })
      const [told, ...others] = await mails()
      expect(others).toHaveLength(before)
      expect(told?.text).toMatch(
        new RegExp(`Your answer was not added to this ticket of Acme, because it is ${status}`),
      )
      expect(told?.text).toContain('open a new ticket')
      expect(await scene.replyAddress(agent)).toBe('')
    }
  })
  it('is told five times within an hour, however many there are', async () => {
    const { id, to } = await asked()
    await acme.staff.post(`/tickets/${id}/status`, { status: 'closed' })
    app.clock.advance(3601)
    await scene.work()
    const before = (await mails()).length
    for (let count = 0; count < 7; count++)
      await app.service.sandbox?.mail?.answers.deliver(rawMail({ from: agent.email, to, text: `again ${count}` }))
    await scene.look()
    expect(await mails()).toHaveLength(before + 5)
    expect(await scene.newest()).toMatchObject({ state: 'handled', error: null })
    app.clock.advance(3601)
    await scene.answer({ from: agent.email, to })
    expect(await mails()).toHaveLength(before + 6)
  })
  it('is told to nobody where the sender is forged, or a program', async () => {
    const { id, to } = await asked()
    await acme.staff.post(`/tickets/${id}/status`, { status: 'closed' })
    const before = (await mails()).length
    await scene.answer({ from: 'eve@evil.example', to })
    await scene.answer({ from: agent.email, to, headers: ['Auto-Submitted: auto-replied'] })
    expect(await mails()).toHaveLength(before)
    expect(await mailsTo(app, 'eve@evil.example')).toEqual([])
  })
})
