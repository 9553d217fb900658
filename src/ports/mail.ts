// Port: a mail system, which takes one message at a time (docs/interface/general.md, Outside the API).

export type MailAttachment = { fileName: string; contentType: string; content: Buffer }

export type MailMessage = {
  /** The same on every retry, so that a server can drop a copy. No angle brackets. */
  messageId: string
  to: string
  subject: string
  text: string
  html: string
  /** The message id, which no mail has, under which mail programs show it with others. No angle brackets. */
  thread?: string
  /** Where an answer to it goes; unset: to the sender. */
  replyTo?: string
  /** Where a POST alone switches mails of its kind off (RFC 8058); unset for mails that cannot be switched off. */
  unsubscribeUrl?: string
  attachments?: readonly MailAttachment[]
  /** The time that it shows. */
  date: Date
}

/** The server does not accept this message now; the job tries again. */
export class MailTemporaryFailure extends Error {}

/** The server will never accept this message (5xx, bad address); it is not tried again. */
export class MailRejected extends Error {}

export interface Mail {
  /** Resolves when the server has accepted the message. Throws MailTemporaryFailure or MailRejected. */
  send(message: MailMessage): Promise<void>
}
