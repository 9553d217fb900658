// One message by RFC 5322, for the composer of the mail adapters.
import addressparser from 'nodemailer/lib/addressparser'
import type { MailComposerOptions } from 'nodemailer/lib/mail-composer'
import { asciiMailAddress, isMailAddress } from '#kernel/values/internet-addresses.ts'
import { MailRejected, type MailMessage } from '#ports/mail.ts'

export type Mailbox = { name: string; address: string }

/** Reads `Name <address>` or a bare address from the configuration; throws for anything else. */
export function readMailbox(text: string): Mailbox {
  const [mailbox, ...others] = addressparser(text, { flatten: true })
  const address = asciiMailAddress(mailbox?.address ?? '')
  if (others.length > 0 || !isMailAddress(address)) throw new Error(`not one mail address: ${text}`)
  return { name: mailbox?.name ?? '', address }
}

export function composition(message: MailMessage, from: Mailbox): MailComposerOptions {
  return {
    messageId: `<${messageId(message.messageId, from)}>`,
    ...threadOf(message, from),
    from,
    ...(message.replyTo !== undefined && { replyTo: { name: '', address: checked(message.replyTo) } }),
    // An object is one address; a string would be split at commas.
    to: { name: '', address: checked(message.to) },
    subject: asSubject(message.subject.replace(/[\r\n]+/g, ' ')),
    text: message.text,
    html: message.html,
    date: message.date,
    attachments: (message.attachments ?? []).map(({ fileName: filename, contentType, content }) => ({
      filename,
      contentType,
      content,
    })),
    // Out-of-office programs do not answer a mail with this header (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribing(message) },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

function checked(address: string): string {
  if (!isMailAddress(address)) throw new MailRejected('not a mail address')
  return address
}

/**
 * The composer encodes what is not ASCII, and leaves the rest as it is: what looks like an encoded word (RFC 2047),
 * such as the name of an organization, would be read as what it hides. It is encoded once more.
 */
function asSubject(text: string): string {
  if (!text.includes('=?')) return text
  const words = ['']
  for (const character of text) {
    const longer = words.at(-1) + character
    if (Buffer.byteLength(longer) > WORD_BYTES) words.push(character)
    else words[words.length - 1] = longer
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ')
}

/** An encoded word has at most 75 characters. */
const WORD_BYTES = 45

/** One click in the mail program switches mails of this kind off (RFC 2369, RFC 8058). */
function unsubscribing({ unsubscribeUrl: url }: MailMessage): Record<string, string> {
  if (url === undefined) return {}
  if (!/^https?:\/\/[!-;=?-~]+$/.test(url)) throw new MailRejected('not an address to unsubscribe at')
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** Each mail of a conversation names the same first one, so that they stay together whichever of them somebody got. */
function threadOf({ thread }: MailMessage, from: Mailbox): Pick<MailComposerOptions, 'inReplyTo' | 'references'> {
  if (thread === undefined) return {}
  const first = `<${messageId(thread, from)}>`
  return { inReplyTo: first, references: first }
}

function messageId(id: string, from: Mailbox): string {
  if (!/^[\w.+=/~-]+(@[\w.-]+)?$/.test(id)) throw new MailRejected('not a message id')
  return id.includes('@') ? id : `${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}`
}
