// Outgoing mail: through a mail server, or in the sandbox as files; and the answers to it.
import { needed, WrongSettings } from './problems.ts'
import { email, flag, notBlank, oneOf, sharedSecrets, text } from './readers.ts'
import type { ValuesOf, Variables } from './variable.ts'

/** `imaps://user:password@host:993/INBOX`; no message repeats it, since it has a password. */
function mailboxUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  if (!url || !/^imaps?:$/.test(url.protocol) || url.hostname === '' || url.username === '' || url.password === '')
    throw new Error('must be an address such as imaps://user:password@host:993/INBOX')
  return value
}

function serverName(value: string): string {
  if (!/^[\w.-]{1,255}$/.test(value)) throw new Error('must be a name such as mx.vendor.example')
  return value
}

export const MAIL = {
  from: {
    name: 'MAIL_FROM',
    meaning: 'Sender of mails',
    sandboxFallback: 'Titular <no-reply@titular.example>',
    read: text,
    required: true,
  },
  smtpUrl: {
    name: 'SMTP_URL',
    meaning: 'Mail server, `smtp://user:password@host:587`; files under DATA_DIR/mail in the sandbox when unset',
    read: text,
    required: true,
    secret: true,
  },
  isChecked: {
    name: 'SMTP_CHECK',
    meaning: 'Sign in to the mail server at the start; `0` starts while it is away',
    fallback: '1',
    read: flag,
  },
  replyTo: {
    name: 'MAIL_REPLY_TO',
    meaning:
      'Mailbox for answers to the mails about tickets, such as support@reply.vendor.example; what is sent to ' +
      '`support+…@` must arrive there too. When unset nobody can answer by mail, but in the sandbox',
    read: email,
  },
  answersBy: {
    name: 'MAIL_REPLIES',
    meaning: 'How these answers come in: `imap`, from a mailbox, or `postmark`, as requests to `/webhooks/mail`',
    read: oneOf('imap', 'postmark'),
  },
  imapUrl: {
    name: 'IMAP_URL',
    meaning:
      'The mailbox, `imaps://user:password@host:993/INBOX`; `imap://` is TLS from the second command on. It is ' +
      'read every minute, and no person may read it: what is marked as read is not looked at',
    read: mailboxUrl,
    secret: true,
  },
  imapDoneFolder: {
    name: 'IMAP_DONE_FOLDER',
    meaning: 'Folder into which mails go that were taken; when unset they stay, marked as read',
    read: notBlank,
  },
  webhookSecrets: {
    name: 'MAIL_WEBHOOK_SECRETS',
    meaning: 'Postmark: the password in the address of its webhook is one of them, by comma',
    read: sharedSecrets,
    secret: true,
  },
  authServer: {
    name: 'MAIL_AUTHSERV_ID',
    meaning:
      'How the receiving mail server calls itself in `Authentication-Results`; an answer then has to pass its ' +
      'DMARC, DKIM or SPF for the domain of its sender. When unset the signed address and the sender count',
    read: serverName,
  },
} as const satisfies Variables

export type MailChoice =
  | { kind: 'smtp'; from: string; url: string; isChecked: boolean }
  | { kind: 'sandbox'; from: string }

/** How answers come in, and to which mailbox; null where nobody can answer. */
export type RepliesChoice =
  | null
  | ({ mailbox: string; authServer: string | null } & (
      | { kind: 'sandbox' }
      | { kind: 'imap'; url: string; doneFolder: string | null }
      | { kind: 'postmark'; webhookSecrets: string[] }
    ))

/** What the areas know of it. */
export type RepliesRules = Pick<NonNullable<RepliesChoice>, 'mailbox' | 'authServer'>

/** Mails that the sandbox keeps are answered there. */
const SANDBOX_MAILBOX = 'answers@titular.example'

export function repliesOf(given: ValuesOf<typeof MAIL>, sandbox: boolean): RepliesChoice {
  const { answersBy: kind, replyTo, smtpUrl, authServer, imapDoneFolder: doneFolder } = given
  if (kind === null) {
    if (sandbox && smtpUrl === null) return { kind: 'sandbox', mailbox: replyTo ?? SANDBOX_MAILBOX, authServer }
    if (replyTo === null) return null
    throw new WrongSettings(`${MAIL.answersBy.name} is missing (${MAIL.replyTo.name} is set)`)
  }
  const because = `${MAIL.answersBy.name} is ${kind}`
  if (kind === 'imap') {
    const values = needed(MAIL, given, { properties: ['replyTo', 'imapUrl'], because })
    return { kind, mailbox: values.replyTo, authServer, url: values.imapUrl, doneFolder }
  }
  const values = needed(MAIL, given, { properties: ['replyTo', 'webhookSecrets'], because })
  return { kind, mailbox: values.replyTo, authServer, webhookSecrets: values.webhookSecrets }
}

export const mailOf = ({ from, smtpUrl: url, isChecked }: ValuesOf<typeof MAIL>): MailChoice =>
  url === null ? { kind: 'sandbox', from } : { kind: 'smtp', from, url, isChecked }
