// Answers to the mails of the sandbox: messages as a mail program would send them, which wait in a folder as they would
// in a mailbox.
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type InboundMail, MOST_MAIL_BYTES, takeEach } from '#ports/inbound-mail.ts'

export type AnsweredMail = {
  from: string
  to: string
  replyTo: string
  subject: string
  messageId: string
  text: string
}
export type WrittenAnswer = { text: string; date: Date }

export interface SandboxAnswers extends InboundMail {
  /** Puts a message into the mailbox, whoever it is from. */
  deliver(bytes: Uint8Array): Promise<void>
}

export function sandboxAnswers(dataDir: string): SandboxAnswers {
  const folder = join(dataDir, 'mail', 'answers')
  let sequence = 0
  return {
    name: 'sandbox-mail',
    readRequest: () => ({ kind: 'unsigned', reason: 'The sandbox takes no mails by request' }),
    async deliver(bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const name = `${Date.now()}-${String(++sequence).padStart(9, '0')}-${randomBytes(4).toString('hex')}`
      await writeFile(join(folder, `.${name}.part`), bytes, { mode: 0o600, flag: 'wx' })
      await rename(join(folder, `.${name}.part`), join(folder, `${name}.eml`))
    },
    async fetch(take) {
      const names = (await readdir(folder).catch(() => [])).filter((name) => /^\d+-\d{9}-[0-9a-f]{8}\.eml$/.test(name))
      await takeEach(names.toSorted(), async (name) => {
        const bytes = await readFile(join(folder, name)).catch(() => null)
        // Another process has taken it.
        if (bytes === null) return
        await take({ bytes: bytes.subarray(0, MOST_MAIL_BYTES), isCut: bytes.length > MOST_MAIL_BYTES })
        await rm(join(folder, name), { force: true })
      })
    },
  }
}

/** As the mail's recipient answers it, with the mail below as programs quote it. */
export async function answerTo(mail: AnsweredMail, { text, date }: WrittenAnswer): Promise<Uint8Array> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const quoted = mail.text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => `> ${line}`)
  return new MailComposer({
    messageId: `<${randomBytes(12).toString('hex')}@answers.example>`,
    inReplyTo: mail.messageId,
    references: mail.messageId,
    from: mail.to,
    to: mail.replyTo,
    subject: `Re: ${mail.subject}`,
    text: [text, '', `On ${date.toUTCString()}, ${mail.from} wrote:`, ...quoted, ''].join('\r\n'),
    date,
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
  })
    .compile()
    .build()
}
