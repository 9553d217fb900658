// The contract of the mail port. The tests of each adapter run it against a mail system that they start.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MailRejected, type Mail } from './mail.ts'

/** The adapter, and what the system at the other end received. */
export type MailSystem = { mail: Mail; delivered(): Promise<DeliveredMail[]>; close(): Promise<void> }
export type DeliveredMail = {
  /** The address alone. */
  from: string
  to: string
  subject: string
  messageId: string
  /** Empty without the header. */
  inReplyTo: string
  references: string
  replyTo: string
  text: string
  html: string
}

const FROM = 'Ação & Cia "Vendas" <no-reply@example.com>'

const message = {
  messageId: 'verify-42@example.com',
  to: 'maria@example.org',
  subject: 'Confirme seu e-mail',
  text: 'Olá, Maria\nhttps://example.com/verify?a=1&b=2\n',
  html: '<p>Olá, <b>Maria</b></p><a href="https://example.com/verify?a=1&amp;b=2">confirmar</a>',
  date: new Date('2026-11-20T12:00:00Z'),
}

export function mailContract(name: string, start: (from: string) => Promise<MailSystem>): void {
  describe(`mail by ${name}`, () => {
    let system: MailSystem

    beforeEach(async () => {
      system = await start(FROM)
    })
    afterEach(() => system.close())

    it('delivers both parts under the given message id', async () => {
      await system.mail.send(message)
      const [delivered, ...others] = await system.delivered()
      expect(others).toHaveLength(0)
      expect(delivered).toMatchObject({
        from: 'no-reply@example.com',
        to: message.to,
        subject: message.subject,
        messageId: '<verify-42@example.com>',
      })
      expect(delivered?.text.trim()).toBe(message.text.trim())
      expect(delivered?.html.trim()).toBe(message.html)
    })

    it('adds the host of the sender to a message id without one', async () => {
      await system.mail.send({ ...message, messageId: 'job-7' })
      expect((await system.delivered())[0]?.messageId).toBe('<job-7@example.com>')
    })

    it('puts the mails of a conversation below one message id, and others below none', async () => {
      await system.mail.send({ ...message, thread: 'ticket-7' })
      await system.mail.send({ ...message, messageId: 'job-8', thread: 'ticket-7' })
      await system.mail.send({ ...message, messageId: 'job-9' })
      const found = new Map((await system.delivered()).map((one) => [one.messageId, [one.inReplyTo, one.references]]))
      const below = ['<ticket-7@example.com>', '<ticket-7@example.com>']
      expect(found.get('<verify-42@example.com>')).toEqual(below)
      expect(found.get('<job-8@example.com>')).toEqual(below)
      expect(found.get('<job-9@example.com>')).toEqual(['', ''])
      await expect(system.mail.send({ ...message, thread: 'a>\r\nBcc: eve@example.org' })).rejects.toThrow(MailRejected)
    })

    it('names the one address that it is answered at, and none where there is none', async () => {
      const replyTo = 'support+1-2-3-0abc@reply.example.com'
      await system.mail.send(message)
      await system.mail.send({ ...message, replyTo })
      expect((await system.delivered()).map((one) => one.replyTo)).toEqual(['', replyTo])
      for (const evil of ['a@b.example, c@d.example', 'a@b.example\r\nBcc: c@d.example', 'nobody'])
        await expect(system.mail.send({ ...message, replyTo: evil })).rejects.toThrow(MailRejected)
    })

    const hidden = '=?utf-8?B?SW52b2ljZSBwYWlk?= and =?UTF-8?Q?=0d=0aBcc:_eve@example.org?='
    it.each([
      'Orçamento "Q-1" <de> O\'Neil & 👩‍💻 مرحبا',
      'x'.repeat(500),
      `${'é'.repeat(300)} fim`,
      hidden,
      `Orçamento 👩‍💻 ${hidden} ${'=?'.repeat(60)}`,
    ])('delivers the subject %s unchanged', async (text) => {
      await system.mail.send({ ...message, subject: text })
      expect((await system.delivered())[0]?.subject).toBe(text)
    })

    it('adds no header from line breaks in the subject', async () => {
      await system.mail.send({ ...message, subject: 'Hi\r\nBcc: eve@example.org\r\n\r\nbody' })
      const [delivered] = await system.delivered()
      expect(delivered?.subject).toBe('Hi Bcc: eve@example.org body')
      expect(delivered?.to).toBe(message.to)
      expect(delivered?.text.trim()).toBe(message.text.trim())
    })

    it('delivers lines that look like the end of the message', async () => {
      await system.mail.send({ ...message, text: 'one\n.\n..two\nFrom here\n' })
      expect((await system.delivered())[0]?.text.trim()).toBe('one\n.\n..two\nFrom here')
    })

    it.each([
      'nobody',
      '',
      'a@b@c',
      'a@example.org, b@example.org',
      'a@example.org\r\nBcc: b@example.org',
      '<a@example.org>',
    ])('throws MailRejected for the recipient %j', async (to) => {
      await expect(system.mail.send({ ...message, to })).rejects.toThrow(MailRejected)
      expect(await system.delivered()).toHaveLength(0)
    })

    it.each(['a\r\nX: y', '<a@b>', ''])('throws MailRejected for the message id %j', async (messageId) => {
      await expect(system.mail.send({ ...message, messageId })).rejects.toThrow(MailRejected)
    })
  })
}
