// Sandbox mail: stores each message as one .eml file, lists and reads them, and answers them. The libraries are read
// with the first mail.

import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address, Email } from 'postal-mime'
import type { Mail } from '#ports/mail.ts'
import { composition, readMailbox } from '../smtp/message.ts'
import { answerTo, type SandboxAnswers, sandboxAnswers } from './answers.ts'
import type { Answer, Exchange } from './payments/exchange.ts'
import { fields } from './payments/exchange.ts'

export type SandboxMailOptions = {
  /** The files are in its folder `mail`. */
  dataDir: string
  /** `Name <address>` or an address. */
  from: string
  now?: () => Date
}

export type StoredMailSummary = { name: string; to: string; subject: string; date: string }

export type StoredMail = StoredMailSummary & {
  from: string
  messageId: string
  /** Empty without the header. */
  inReplyTo: string
  references: string
  /** Empty without the header. */
  replyTo: string
  text: string
  html: string
  attachments: string[]
}

export interface SandboxMail extends Mail {
  /** Newest first. */
  list(limit?: number): Promise<StoredMailSummary[]>
  /** Null when no mail has this name. */
  read(name: string): Promise<StoredMail | null>
  /** The mailbox that answers wait in. */
  readonly answers: SandboxAnswers
  /** POST /sandbox/mail/{name}/answer: puts an answer of the mail's recipient there. */
  handle(exchange: Exchange): Promise<Answer>
}

const NAME = /^\d{8}T\d{9}Z-\d{6}-[0-9a-f]{8}\.eml$/

export function createSandboxMail(options: SandboxMailOptions): SandboxMail {
  const folder = join(options.dataDir, 'mail')
  const from = readMailbox(options.from)
  const now = options.now ?? (() => new Date())
  const answers = sandboxAnswers(options.dataDir)
  const read = (name: string) => (NAME.test(name) ? readMail(folder, name) : Promise.resolve(null))
  let sequence = 0

  return {
    answers,
    handle: async (exchange) => {
      const [, name = ''] = /^\/sandbox\/mail\/([^/?]+)\/answer$/.exec(exchange.path) ?? []
      const text = fields(exchange)?.get('text')?.trim() ?? ''
      const mail = exchange.method === 'POST' ? await read(name) : null
      if (!mail || mail.replyTo === '') return { status: 404, headers: {}, body: '' }
      if (text !== '') await answers.deliver(await answerTo(mail, { text, date: now() }))
      return { status: 303, headers: { location: `/mail/${name}` }, body: '' }
    },
    send: async (message) => {
      const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
      const bytes = await new MailComposer({ ...composition(message, from), newline: 'win' }).compile().build()
      await mkdir(folder, { recursive: true, mode: 0o700 })
      sequence = (sequence + 1) % 1_000_000
      await writeWhole(folder, nameOf(message.date, sequence), bytes)
    },
    list: async (limit = 200) => {
      const names = (await namesIn(folder)).toSorted().toReversed().slice(0, limit)
      const mails = await Promise.all(names.map((name) => readMail(folder, name)))
      return mails.flatMap((mail) =>
        mail ? [{ name: mail.name, to: mail.to, subject: mail.subject, date: mail.date }] : [],
      )
    },
    read,
  }
}

/**
 * By the time that the mail shows: those of an organization with a test clock have their place among the others. The
 * sequence orders mails of one millisecond; the random part differs between two
 * processes.
 */
function nameOf(time: Date, sequence: number): string {
  const stamp = time.toISOString().replace(/[-:.]/g, '')
  return `${stamp}-${String(sequence).padStart(6, '0')}-${randomBytes(4).toString('hex')}.eml`
}

/** Written under another name and renamed, so that no half-written mail is ever read. */
async function writeWhole(folder: string, name: string, bytes: Buffer): Promise<void> {
  const temporary = join(folder, `.${name}.part`)
  try {
    await writeFile(temporary, bytes, { mode: 0o600, flag: 'wx' })
    await rename(temporary, join(folder, name))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(nothingThere)
  return names === null ? [] : names.filter((name) => NAME.test(name))
}

async function readMail(folder: string, name: string): Promise<StoredMail | null> {
  const bytes = await readFile(join(folder, name)).catch(nothingThere)
  if (bytes === null) return null
  const { default: PostalMime } = await import('postal-mime')
  return stored(name, await PostalMime.parse(bytes))
}

function stored(name: string, mail: Email): StoredMail {
  return {
    name,
    from: addressOf(mail.from),
    to: (mail.to ?? []).map(addressOf).join(', '),
    subject: mail.subject ?? '',
    date: mail.date ?? '',
    messageId: mail.messageId ?? '',
    inReplyTo: mail.inReplyTo ?? '',
    references: mail.references ?? '',
    replyTo: (mail.replyTo ?? []).map(addressOf).join(', '),
    text: mail.text ?? '',
    html: mail.html ?? '',
    attachments: mail.attachments.map(({ filename }) => filename ?? ''),
  }
}

function addressOf(address: Address | undefined): string {
  if (!address) return ''
  return address.name === '' ? (address.address ?? '') : `${address.name} <${address.address ?? ''}>`
}

function nothingThere(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
