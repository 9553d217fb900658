// Port: the mails that people send to the service. They wait in a mailbox, which a job empties, or come as requests of
// a provider (docs/interface/support.md, Answers by mail).
import type { ReceivedHeaders } from './standard-webhooks.ts'

/** A message as it travelled (RFC 5322). Of one that is too large only the beginning. */
export type RawMail = { bytes: Buffer; isCut: boolean }

/** A request of the provider. `unreadable`: rightly signed, and no mail. */
export type MailRequest =
  | { kind: 'mail'; mail: RawMail }
  | { kind: 'unsigned'; reason: string }
  | { kind: 'unreadable'; dedupeKey: string; providerType: string; reason: string }

export interface InboundMail {
  /** As `source` of the stored events. */
  readonly name: MailSource
  /** Of a mailbox every request is `unsigned`. */
  readRequest(headers: ReceivedHeaders, body: Buffer): MailRequest
  /**
   * Hands over each mail that waits, and puts it away once `take` has resolved: a mail whose taking fails, or is cut
   * off by a crash, comes again, and holds up no other: `takeEach`. A provider that sends requests has none.
   */
  fetch(take: (mail: RawMail) => Promise<void>): Promise<void>
}

export const MAIL_SOURCES = ['imap', 'postmark', 'sandbox-mail'] as const
export type MailSource = (typeof MAIL_SOURCES)[number]

/** A larger mail is taken without the attachments that are beyond. */
export const MOST_MAIL_BYTES = 32 * 1024 * 1024

/** Takes one mail after the other, and throws at the end what the first one threw that could not be taken. */
export async function takeEach<Mail>(mails: readonly Mail[], take: (mail: Mail) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  for (const mail of mails) await take(mail).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
