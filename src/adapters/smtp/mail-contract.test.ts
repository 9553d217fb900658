// What every mail adapter promises, held against each of them.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MailRejected, type Mail } from '#ports/mail.ts'
import { createSandboxMail } from '../sandbox/mail.ts'
import { createSmtp } from './smtp.ts'
import { startSmtpServer } from '#test/stand-ins/smtp.ts'

type Delivered = { from: string; to: string; subject: string; messageId: string; text: string; html: string }
type Subject = { mail: Mail; delivered(): Promise<Delivered[]>; close(): Promise<void> }

const FROM = 'Ação & Cia "Vendas" <no-reply@example.com>'

const message = {
  messageId: 'verify-42@example.com',
  to: 'maria@example.org',
  subject: 'Confirme seu e-mail',
  text: 'Olá, Maria\nhttps://example.com/verify?a=1&b=2\n',
  html: '<p>Olá, <b>Maria</b></p><a href="https://example.com/verify?a=1&amp;b=2">confirmar</a>',
}

async function smtp(): Promise<Subject> {
  const server = await startSmtpServer()
  const mail = createSmtp({ url: `smtp://127.0.0.1:${server.port}`, from: FROM })
  return {
    mail,
    delivered: () =>
      Promise.resolve(
        server.received.map((one) => ({
          from: one.mail.from?.address ?? '',
          to: one.recipients.join(),
          subject: one.mail.subject ?? '',
          messageId: one.mail.messageId ?? '',
          text: one.mail.text ?? '',
          html: one.mail.html ?? '',
        })),
      ),
    close: async () => {
      mail.close()
      await server.close()
    },
  }
}

async function sandbox(): Promise<Subject> {
  const dataDir = await mkdtemp(join(tmpdir(), 'mail-'))
  const mail = createSandboxMail({ dataDir, from: FROM })
  return {
    mail,
    delivered: async () => {
      const all = await Promise.all((await mail.list()).toReversed().map(({ name }) => mail.read(name)))
      return all.flatMap((one) => (one ? [{ ...one, from: one.from.replace(/.*<(.*)>/, '$1') }] : []))
    },
    close: () => rm(dataDir, { recursive: true }),
  }
}

describe.each([
  ['smtp', smtp],
  ['sandbox', sandbox],
])('mail by %s', (_name, start) => {
  let subject: Subject

  beforeEach(async () => {
    subject = await start()
  })
  afterEach(() => subject.close())

  it('delivers both parts under the given message id', async () => {
    await subject.mail.send(message)
    const [delivered, ...others] = await subject.delivered()
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

  it('completes a message id that names no host', async () => {
    await subject.mail.send({ ...message, messageId: 'job-7' })
    expect((await subject.delivered())[0]?.messageId).toBe('<job-7@example.com>')
  })

  it.each(['Orçamento "Q-1" <de> O\'Neil & 👩‍💻 مرحبا', 'x'.repeat(500), `${'é'.repeat(300)} fim`])(
    'keeps the subject %s',
    async (text) => {
      await subject.mail.send({ ...message, subject: text })
      expect((await subject.delivered())[0]?.subject).toBe(text)
    },
  )

  it('lets no header in by the subject', async () => {
    await subject.mail.send({ ...message, subject: 'Hi\r\nBcc: eve@example.org\r\n\r\nbody' })
    const [delivered] = await subject.delivered()
    expect(delivered?.subject).toBe('Hi Bcc: eve@example.org body')
    expect(delivered?.to).toBe(message.to)
    expect(delivered?.text.trim()).toBe(message.text.trim())
  })

  it('keeps lines that look like the end of the message', async () => {
    await subject.mail.send({ ...message, text: 'one\n.\n..two\nFrom here\n' })
    expect((await subject.delivered())[0]?.text.trim()).toBe('one\n.\n..two\nFrom here')
  })

  it.each([
    'nobody',
    '',
    'a@b@c',
    'a@example.org, b@example.org',
    'a@example.org\r\nBcc: b@example.org',
    '<a@example.org>',
  ])('rejects the recipient %j for good', async (to) => {
    await expect(subject.mail.send({ ...message, to })).rejects.toThrow(MailRejected)
    expect(await subject.delivered()).toHaveLength(0)
  })

  it.each(['a\r\nX: y', '<a@b>', ''])('rejects the message id %j for good', async (messageId) => {
    await expect(subject.mail.send({ ...message, messageId })).rejects.toThrow(MailRejected)
  })
})
