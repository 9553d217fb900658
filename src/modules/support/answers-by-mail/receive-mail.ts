// What a mail is, before it is stored: an answer about a ticket, or nothing that anybody waits for. Who wrote it is
// looked at by the job that handles it.
import { type Static, Type } from 'typebox'
import type { InboundSource } from '#http/manifest/module.ts'
import { receiveEvent } from '#modules/messages/inbound/inbound-source.ts'
import type { ReceivedBody } from '#modules/messages/inbound/provider-events.ts'
import { replyTarget } from '#modules/support/tickets/reply-address.ts'
import type { Ports, SystemContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { Id } from '#kernel/values/schema.ts'
import { Value } from 'typebox/value'
import { bodyDigest } from '#ports/body-signatures.ts'
import { MAIL_SOURCES, type MailSource, type RawMail } from '#ports/inbound-mail.ts'
import { type MailHead, readableBytes, readHead } from '#ports/received-mail.ts'

export const handleAnswer = jobKind('answers-by-mail/handle', { provider_event_id: Id })

export const MailEvent = Type.Object({
  kind: Type.Literal('answer'),
  organizationId: Id,
  ticketId: Id,
  userId: Id,
  isCut: Type.Boolean(),
})
export type MailEvent = Static<typeof MailEvent>

export const mailSource: InboundSource = {
  names: MAIL_SOURCES,
  reads: 'tickets',
  handle: handleAnswer,
  keyOf: (event) => (Value.Check(MailEvent, event) ? `answer:${event.organizationId}:${event.ticketId}` : undefined),
}

/** What is stored of a mail. */
export type UnderstoodMail = { received: ReceivedBody | (ReceivedBody & MailEvent); body: Buffer }

/** Longer ones are told apart by the digest of the mail. */
const LONGEST_KEY = 250
/** Of a mail that nobody handles, this much is kept for staff to look at. */
const KEPT_BYTES = 64 * 1024

export async function understood({ secretKey, settings }: Ports, { bytes, isCut }: RawMail): Promise<UnderstoodMail> {
  const mail = await readHead(bytes).catch((error: unknown) => String(error))
  if (typeof mail === 'string') {
    const received = { kind: 'unreadable', dedupeKey: bodyDigest(bytes), providerType: 'mail', reason: mail }
    return { received, body: bytes.subarray(0, KEPT_BYTES) }
  }
  const target = replyTarget(secretKey, mail.recipients)
  const ignored = ignoredAs(mail, new URL(settings.publicUrl).hostname) ?? (target === null ? 'unaddressed' : null)
  if (target === null || ignored !== null)
    return {
      // Not its id: a list may send a copy of an answer that comes by itself as well.
      received: { kind: 'ignored', dedupeKey: bodyDigest(bytes), providerType: `mail.${ignored}` },
      body: bytes.subarray(0, KEPT_BYTES),
    }
  const { messageId } = mail
  const dedupeKey = messageId === null || messageId.length > LONGEST_KEY ? bodyDigest(bytes) : messageId
  const body = bytes.subarray(0, readableBytes(bytes))
  const answer = { kind: 'answer' as const, ...target, isCut: isCut || body.length < bytes.length }
  return { received: { ...answer, dedupeKey, providerType: 'mail.answer' }, body }
}

/** A mail of our own or of a program is never passed on: two programs could answer each other for ever. */
function ignoredAs({ isAutomatic, messageId }: MailHead, host: string): 'automatic' | 'own' | null {
  if (messageId?.toLowerCase().endsWith(`@${host.toLowerCase()}>`)) return 'own'
  return isAutomatic ? 'automatic' : null
}

/** False for one that is stored already. */
export const receiveMail = (
  ctx: SystemContext,
  provider: MailSource,
  { received, body }: UnderstoodMail,
): Promise<boolean> => receiveEvent(ctx, mailSource, { sender: { provider, company: '' }, received, body })
