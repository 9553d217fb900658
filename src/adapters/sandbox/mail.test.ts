// The sandbox's folder of mails: the port's contract, names, order, and refused names.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mailboxContract } from '#ports/inbound-mail.contract.ts'
import { mailContract } from '#ports/mail.contract.ts'
import { MailRejected } from '#ports/mail.ts'
import { readBody, readHead } from '#ports/received-mail.ts'
import { answerIn } from '#ports/reply-text.ts'
import { createSandboxMail, type SandboxMail } from './mail.ts'

const date = new Date('2026-11-20T12:00:00Z')
const to = 'maria@example.org'
const message = { messageId: 'a@example.com', to, subject: 'Olá', text: 'Hi', html: '<p>Hi</p>', date }
const from = 'Titular <no-reply@example.com>'
let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mail-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

describe('sandbox mail', () => {
  it('lists nothing before the first mail', async () => {
    expect(await createSandboxMail({ dataDir, from }).list()).toEqual([])
  })

  it('lists the newest first, also within one millisecond', async () => {
    const mail = createSandboxMail({ dataDir, from })
    for (const subject of ['one', 'two', 'three']) await mail.send({ ...message, subject })
    expect((await mail.list()).map(({ subject }) => subject)).toEqual(['three', 'two', 'one'])
    expect(await mail.list(1)).toMatchObject([{ subject: 'three', to, date: '2026-11-20T12:00:00.000Z' }])
  })

  it('writes the address to unsubscribe at for one click (RFC 8058), and none where there is none', async () => {
    const mail = createSandboxMail({ dataDir, from })
    const unsubscribeUrl = `https://titular.example/unsubscribe/1.2.ticket-opened.${'m'.repeat(43)}`
    await mail.send(message)
    await mail.send({ ...message, unsubscribeUrl })
    const names = (await readdir(join(dataDir, 'mail'))).toSorted()
    const [plain, listed] = await Promise.all(names.map((name) => readFile(join(dataDir, 'mail', name), 'utf8')))
    expect(plain).not.toContain('List-Unsubscribe')
    const unfolded = listed?.replaceAll(/\r\n[ \t]+/g, ' ')
    expect(unfolded).toContain(`List-Unsubscribe: <${unsubscribeUrl}>\r\n`)
    expect(unfolded).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n')
    for (const evil of ['https://a>\r\nBcc: b@c', 'javascript:alert(1)'])
      await expect(mail.send({ ...message, unsubscribeUrl: evil })).rejects.toThrow(MailRejected)
  })

  it('writes whole messages with CRLF, under sortable names, and leaves no half-written file', async () => {
    const mail = createSandboxMail({ dataDir, from })
    await Promise.all(Array.from({ length: 10 }, () => mail.send(message)))
    const names = await readdir(join(dataDir, 'mail'))
    expect(names).toHaveLength(10)
    for (const name of names) expect(name).toMatch(/^20261120T120000000Z-\d{6}-[0-9a-f]{8}\.eml$/)
    const text = await readFile(join(dataDir, 'mail', names[0] ?? ''), 'utf8')
    expect(text).toContain('Message-ID: <a@example.com>\r\n')
    expect(text.replaceAll('\r\n', '')).not.toContain('\n')
  })

  it('ignores files that are no mails', async () => {
    const mail = createSandboxMail({ dataDir, from })
    await mail.send(message)
    await writeFile(join(dataDir, 'mail', 'notes.eml'), 'x')
    await writeFile(join(dataDir, 'mail', '.20261120T120000123Z-000001-00000000.eml.part'), 'x')
    expect(await mail.list()).toHaveLength(1)
  })

  it.each(['../secret.eml', '..%2fsecret.eml', '/etc/passwd', 'a.eml', '', '20261120T120000123Z-000001-00000000.eml'])(
    'reads nothing under the name %j',
    async (name) => {
      const mail = createSandboxMail({ dataDir, from })
      await mail.send(message)
      await writeFile(join(dataDir, 'secret.eml'), 'Subject: secret\r\n\r\n')
      expect(await mail.read(name)).toBeNull()
    },
  )

  it('reads a whole mail', async () => {
    const mail = createSandboxMail({ dataDir, from })
    await mail.send(message)
    const [first] = await mail.list()
    expect(await mail.read(first?.name ?? '')).toMatchObject({
      from,
      subject: 'Olá',
      html: expect.stringContaining('<p>'),
    })
  })
})

const newestOf = async (mail: SandboxMail): Promise<string> => (await mail.list())[0]?.name ?? ''

const post = (path: string, text?: string, method = 'POST') => {
  const body = text === undefined ? null : Buffer.from(new URLSearchParams({ text }).toString())
  return { method, path, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body }
}

describe('POST /sandbox/mail/{name}/answer', () => {
  const replyTo = 'answers+1-2-3-0abc@titular.example'
  it('303 puts an answer into the mailbox, as the recipient’s program would send it', async () => {
    const mail = createSandboxMail({ dataDir, from })
    await mail.send({ ...message, replyTo })
    const name = await newestOf(mail)
    const answer = await mail.handle(post(`/sandbox/mail/${name}/answer`, 'Obrigada 🙂\r\nAna'))
    expect(answer).toMatchObject({ status: 303, headers: { location: `/mail/${name}` } })
    const found: Buffer[] = []
    await mail.answers.fetch(async ({ bytes }) => void found.push(bytes))
    const raw = found[0] ?? Buffer.alloc(0)
    expect(await readHead(raw)).toMatchObject({ from: to, recipients: [replyTo], isAutomatic: false })
    const { text, files } = await readBody(raw)
    expect(files).toEqual([])
    expect(text).toContain('> Hi')
    expect(answerIn(text)).toBe('Obrigada 🙂\nAna')
    expect(await mail.list()).toHaveLength(1)
  })
  it('404 for a mail that nobody answers, no mail, and another method; nothing for an empty answer', async () => {
    const mail = createSandboxMail({ dataDir, from })
    await mail.send(message)
    const name = await newestOf(mail)
    await mail.send({ ...message, replyTo })
    const answered = await newestOf(mail)
    for (const path of [`/sandbox/mail/${name}/answer`, '/sandbox/mail/..%2Fa.eml/answer', '/sandbox/mail/a/answer/b'])
      expect((await mail.handle(post(path, 'Hi'))).status).toBe(404)
    expect((await mail.handle(post(`/sandbox/mail/${answered}/answer`, undefined, 'GET'))).status).toBe(404)
    for (const text of [undefined, ' \r\n'])
      expect((await mail.handle(post(`/sandbox/mail/${answered}/answer`, text))).status).toBe(303)
    await mail.answers.fetch(() => Promise.reject(new Error('a mail')))
  })
})

mailboxContract('the sandbox', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'mail-'))
  const { answers } = createSandboxMail({ dataDir: directory, from })
  return {
    mailbox: answers,
    put: (bytes) => answers.deliver(bytes),
    close: () => rm(directory, { recursive: true }),
  }
})

mailContract('the sandbox', async (sender) => {
  const directory = await mkdtemp(join(tmpdir(), 'mail-'))
  const mail = createSandboxMail({ dataDir: directory, from: sender })
  return {
    mail,
    delivered: async () => {
      const all = await Promise.all((await mail.list()).toReversed().map(({ name }) => mail.read(name)))
      return all.flatMap((one) => (one ? [{ ...one, from: one.from.replace(/.*<(.*)>/, '$1') }] : []))
    },
    close: () => rm(directory, { recursive: true }),
  }
})
