// What we need of a mail system: hand over one message, once. (docs/interface.md, Outside systems)

export type MailMessage = {
  /** Same on every retry, so that a server that saw it before can drop the copy. No angle brackets. */
  messageId: string
  to: string
  subject: string
  text: string
  html: string
}

/** The server will not take this message now; the job tries again. */
export class MailTemporaryFailure extends Error {}

/** The server will never take this message (5xx, bad address); trying again is useless. */
export class MailRejected extends Error {}

export interface Mail {
  /** Resolves when the server has taken responsibility. Throws MailTemporaryFailure or MailRejected. */
  send(message: MailMessage): Promise<void>
}
