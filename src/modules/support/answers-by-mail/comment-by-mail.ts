// Makes a comment of an answer, as the account that the reply address names would write it: by the same function, with
// the checks of a request. What is refused is a dead letter, which staff see.
import { first, type IoContext, type OrganizationContext } from '#kernel/data/context.ts'
import { type BoundTransactions, PermanentFailure } from '#kernel/jobs/jobs.ts'
import { AppError } from '#kernel/values/errors.ts'
import { fromNow } from '#kernel/values/time/clock.ts'
import { readStoredEvent, storedBody } from '#modules/messages/inbound/provider-events.ts'
import { attachToTicket, commentOnTicket } from '#modules/support/tickets/add-to-conversation.ts'
import { assertActive } from '#modules/support/tickets/change-ticket.ts'
import { tickets } from '#modules/support/tickets/queries.ts'
import { type AnsweringMember, memberAnswering } from '#modules/support/tickets/ticket-audience.ts'
import { bodyDigest } from '#ports/body-signatures.ts'
import { isAuthenticated } from '#ports/mail-authentication.ts'
import { readMail, type ReceivedMail } from '#ports/received-mail.ts'
import { answerIn } from '#ports/reply-text.ts'
import { commentOf } from './comment-text.ts'
import { type AnswerFiles, receiveFiles, refusalOf, refusedFile } from './receive-files.ts'
import { MailEvent } from './receive-mail.ts'

export async function commentByMail(io: IoContext, transactions: BoundTransactions, id: number): Promise<void> {
  const { event, dedupe_key } = await readStoredEvent({ ask: io.read }, id, MailEvent)
  const [stored] = await io.read(storedBody(id))
  if (!stored) throw new PermanentFailure(`mail ${id} is not there`)
  const mail = await readMail(stored.body)
  const { authServer = null } = io.ports.settings.replies ?? {}
  const answer = {
    ...event,
    digest: bodyDigest(Buffer.from(dedupe_key)),
    text: answerIn(mail.text),
    assertSender: (member: AnsweringMember) => assertWrittenBy(member, mail, authServer),
  }
  // Nothing is stored for somebody who may not write.
  const isKnown = await transactions
    .inOrganization(event.organizationId, async (ctx) => {
      if (await first(ctx, tickets.ofMessage(ctx.organizationId, answer.digest))) return true
      await assertMayAnswer(ctx, answer)
      return false
    })
    .catch(permanent)
  if (isKnown) return
  const files = await receiveFiles(io.within(event.organizationId), mail.files, event.isCut)
  await transactions.inOrganization(event.organizationId, (ctx) => addAnswer(ctx, answer, files)).catch(permanent)
}

type Answer = Pick<MailEvent, 'ticketId' | 'userId'> & {
  digest: string
  text: string
  /** Throws unless the member sent the mail. */
  assertSender: (member: AnsweringMember) => void
}

async function addAnswer(ctx: OrganizationContext, answer: Answer, { received, refused }: AnswerFiles): Promise<void> {
  const { ticketId, digest } = answer
  if (await first(ctx, tickets.ofMessage(ctx.organizationId, digest))) return
  const { ticket, member } = await assertMayAnswer(ctx, answer)
  const acting = asMember(ctx, member)
  const left = [...refused]
  for (const file of received)
    await attachToTicket(acting, ticketId, file, false).catch((error: unknown) =>
      left.push(refusedFile(file.name, refusalOf(error))),
    )
  const body = commentOf(answer.text, { hasFiles: received.length > 0, refused: left, language: member.language })
  if (body === null) throw new PermanentFailure('The answer has neither text nor files')
  await commentOnTicket(acting, ticket, { body, message_digest: digest })
}

/** Beyond, two programs may be answering each other, whose mails do not say that they are programs. */
const MOST_IN_AN_HOUR = 20

async function assertMayAnswer(ctx: OrganizationContext, { ticketId, userId, assertSender }: Answer) {
  const ticket = await first(ctx, tickets.locked(ctx.organizationId, ticketId))
  const member = ticket && (await first(ctx, memberAnswering(ctx, { userId, ticket })))
  if (!ticket || !member)
    throw new PermanentFailure('The account that the reply address was made for may not comment on the ticket any more')
  assertSender(member)
  const recent = { id: ticketId, userId, from: fromNow(ctx, -3600) }
  const [written] = await ctx.ask(tickets.mailedSince(ctx.organizationId, recent))
  if ((written?.count ?? 0) >= MOST_IN_AN_HOUR)
    throw new PermanentFailure(`There were ${MOST_IN_AN_HOUR} answers by mail to the ticket within an hour already`)
  return { ticket: assertActive(ticket), member }
}

/** From one address that is the account's, and that the receiving server vouches for where it is asked to. */
function assertWrittenBy({ email }: AnsweringMember, mail: ReceivedMail, authServer: string | null): void {
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
