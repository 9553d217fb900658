// Makes a comment of an answer, as the account that the reply address names would write it: by the same function, with
// the checks of a request. What is refused is a dead letter, which staff see.
import { first, type IoContext, type OrganizationContext } from '#kernel/data/context.ts'
import { type BoundTransactions, PermanentFailure } from '#kernel/jobs/jobs.ts'
import { AppError } from '#kernel/values/errors.ts'
import { readStoredEvent, storedBody } from '#modules/messages/inbound/provider-events.ts'
import { attachToTicket, commentOnTicket } from '#modules/support/tickets/add-to-conversation.ts'
import { tickets } from '#modules/support/tickets/queries.ts'
import { ENDED } from '#modules/support/tickets/ticket.ts'
import { type AnsweringMember, memberAnswering } from '#modules/support/tickets/ticket-audience.ts'
import { bodyDigest } from '#ports/body-signatures.ts'
import { isAuthenticated } from '#ports/mail-authentication.ts'
import { type MailHead, readBody, readHead } from '#ports/received-mail.ts'
import { answerIn } from '#ports/reply-text.ts'
import { commentOf } from './comment-text.ts'
import { type AnswerFiles, receiveFiles, refusalOf, refusedFile } from './receive-files.ts'
import { MailEvent } from './receive-mail.ts'
import type { EndedTicket } from './tell-of-end.ts'

/** Null when it is a comment now, or was one already; else the ticket, which takes none any more. */
export async function commentByMail(
  io: IoContext,
  transactions: BoundTransactions,
  id: number,
): Promise<EndedTicket | null> {
  const { event, dedupe_key } = await readStoredEvent({ ask: io.read }, id, MailEvent)
  const [stored] = await io.read(storedBody(id))
  if (!stored) throw new PermanentFailure(`mail ${id} is not there`)
  const head = await readHead(stored.body)
  const { authServer = null } = io.ports.settings.replies ?? {}
  const answer = {
    ...event,
    digest: bodyDigest(Buffer.from(dedupe_key)),
    assertSender: (member: AnsweringMember) => assertWrittenBy(member, head, authServer),
  }
  const inOrganization = <Result>(run: (ctx: OrganizationContext) => Promise<Result>) =>
    transactions.inOrganization(event.organizationId, run).catch(permanent)
  // No body is read and no file stored for somebody who may not write.
  const allowed = await inOrganization((ctx) => mayAnswer(ctx, answer))
  if (allowed === 'known' || allowed.isEnded) return allowed === 'known' ? null : allowed
  const { text, files } = await readBody(stored.body).catch((error: unknown) => {
    throw new PermanentFailure(`The answer cannot be read: ${String(error)}`)
  })
  const content = { ...(await receiveFiles(io.within(event.organizationId), files, event.isCut)), text: answerIn(text) }
  return inOrganization((ctx) => addAnswer(ctx, answer, content))
}

type Answer = Pick<MailEvent, 'ticketId' | 'userId'> & {
  digest: string
  /** Throws unless the member sent the mail. */
  assertSender: (member: AnsweringMember) => void
}

async function addAnswer(
  ctx: OrganizationContext,
  answer: Answer,
  { text, received, refused }: AnswerFiles & { text: string },
): Promise<EndedTicket | null> {
  const allowed = await mayAnswer(ctx, answer)
  if (allowed === 'known' || allowed.isEnded) return allowed === 'known' ? null : allowed
  const { ticket, member } = allowed
  const acting = asMember(ctx, member)
  const left = [...refused]
  for (const file of received)
    await attachToTicket(acting, ticket.id, file, false).catch((error: unknown) =>
      left.push(refusedFile(file.name, refusalOf(error))),
    )
  const body = commentOf(text, { hasFiles: received.length > 0, refused: left, language: member.language })
  if (body === null) throw new PermanentFailure('The answer has neither text nor files')
  await commentOnTicket(acting, ticket, { body, message_digest: answer.digest })
  return null
}

/** Beyond, two programs may be answering each other, whose mails do not say that they are programs. */
const MOST_IN_AN_HOUR = 20
const HOUR_MS = 3_600_000

async function mayAnswer(ctx: OrganizationContext, { ticketId, userId, digest, assertSender }: Answer) {
  const { organizationId } = ctx
  if (await first(ctx, tickets.ofMessage(organizationId, digest))) return 'known' as const
  const ticket = await first(ctx, tickets.locked(organizationId, ticketId))
  const member = ticket && (await first(ctx, memberAnswering(ctx, { userId, ticket })))
  if (!ticket || !member)
    throw new PermanentFailure('The account that the reply address was made for may not comment on the ticket any more')
  assertSender(member)
  const recent = { id: ticketId, userId, from: new Date(ctx.now.getTime() - HOUR_MS) }
  const [written] = await ctx.ask(tickets.mailedSince(organizationId, recent))
  if ((written?.count ?? 0) >= MOST_IN_AN_HOUR)
    throw new PermanentFailure(`There were ${MOST_IN_AN_HOUR} answers by mail to the ticket within an hour already`)
  return { organizationId, ticket, member, isEnded: ENDED.includes(ticket.status) }
}

/** From one address that is the account's, and that the receiving server vouches for where it is asked to. */
function assertWrittenBy({ email }: AnsweringMember, mail: MailHead, authServer: string | null): void {
  const from = mail.from ?? 'no single address'
  if (from !== email.toLowerCase())
    throw new PermanentFailure(`The answer is from ${from}, and the reply address was made for ${email}`)
  if (authServer !== null && !isAuthenticated(mail.authentication, authServer, from))
    throw new PermanentFailure(`${authServer} does not say that the answer is from ${from} (DMARC, DKIM, SPF)`)
}

/** As a request of the member is bound. */
const asMember = (ctx: OrganizationContext, { user_id, name, email, language, role, scopes }: AnsweringMember) => ({
  ...ctx,
  role,
  scopes,
  caller: {
    kind: 'user' as const,
    userId: user_id,
    name,
    email,
    proven: true,
    staff: false,
    sessionId: null,
    language,
  },
})

/** What the state of the ticket refuses now, it refuses later. */
function permanent(error: unknown): never {
  if (error instanceof AppError && (error.code === 'CONFLICT' || error.code === 'NOT_FOUND'))
    throw new PermanentFailure(error.message, { cause: error })
  throw error
}
