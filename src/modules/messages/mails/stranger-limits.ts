// How often an organization may have addresses mailed that have not asked for it: invites, questions to contacts,
// and quotes.
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { AppError } from '#kernel/values/errors.ts'
import { fromNow } from '#kernel/values/time/clock.ts'
import { mails } from './queries.ts'

/** Before the mail about the same record is sent again. */
const PAUSE_SECONDS = 60
const DAY_SECONDS = 86_400
/** In a day. */
export const MOST_INVITES = 200
/** In a day to one address, also when the invite was removed and made anew. */
export const MOST_TO_ONE_ADDRESS = 5

/** In a day to one address from all organizations. */
export const MOST_FROM_ALL = 10
/** Says nothing of when the others have mailed it. */
const FROM_ALL_RETRY_SECONDS = 3600

const KINDS = ['invite', 'contact-confirmation', 'quote-sent'] as const

type Stranger = { kind: (typeof KINDS)[number]; email: string; id?: number | null }

/** 429 with the seconds until the next one may be sent. The service itself, after an import, is not limited. */
export async function assertMayMailStranger(
  ctx: OrganizationContext,
  { kind, email, id = null }: Stranger,
): Promise<void> {
  const [since, pauseFrom] = [fromNow(ctx, -DAY_SECONDS), fromNow(ctx, -PAUSE_SECONDS)]
  const sent = await one(ctx, mails.sentSince(ctx.organizationId, { kind, email, id, since }))
  const { from_all } = await one(ctx, mails.fromAllSince(email, KINDS, since))
  const waits = [
    sent.all >= MOST_INVITES ? secondsBetween(since, sent.first) : 0,
    sent.to_address >= MOST_TO_ONE_ADDRESS ? secondsBetween(since, sent.first_to_address) : 0,
    secondsBetween(pauseFrom, sent.last_of_record),
    from_all >= MOST_FROM_ALL ? FROM_ALL_RETRY_SECONDS : 0,
  ]
  const retryAfter = Math.max(...waits)
  if (retryAfter > 0)
    throw new AppError('RATE_LIMIT', { message: 'Too many invites were sent; try again later', retryAfter })
}

/** After so long a mail lies outside of what has just been counted. */
const secondsBetween = (from: Date, sent: string | null): number =>
  sent === null ? 0 : Math.max(0, Math.ceil((Date.parse(sent) - from.getTime()) / 1000))
