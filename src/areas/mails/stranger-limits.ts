// How often an organization may have addresses mailed that have not asked for it: invites, and questions to contacts.
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { AppError } from '#kernel/http/errors.ts'
import { mails } from './queries.ts'

/** Before the mail about the same record is sent again. */
const PAUSE_SECONDS = 60
const DAY_SECONDS = 86_400
/** In a day. */
export const MOST_INVITES = 200
/** In a day to one address, also when the invite was removed and made anew. */
export const MOST_TO_ONE_ADDRESS = 5

type Stranger = { kind: 'invite' | 'contact-confirmation'; email: string; id?: number | null }

/** 429 with the seconds until the next one may be sent. The service itself, after an import, is not limited. */
export async function assertMayMailStranger(
  ctx: OrganizationContext,
  { kind, email, id = null }: Stranger,
): Promise<void> {
  const asked = { kind, email, since: secondsBefore(ctx.realNow, DAY_SECONDS) }
  const sent = await one(ctx, mails.sentSince(ctx.organizationId, { ...asked, id }))
  const waits = [
    sent.all >= MOST_INVITES ? waitAfter(ctx.realNow, sent.first, DAY_SECONDS) : 0,
    sent.to_address >= MOST_TO_ONE_ADDRESS ? waitAfter(ctx.realNow, sent.first_to_address, DAY_SECONDS) : 0,
    waitAfter(ctx.realNow, sent.last_of_record, PAUSE_SECONDS),
  ]
  const retryAfter = Math.max(...waits)
  if (retryAfter > 0)
    throw new AppError('RATE_LIMIT', { message: 'Too many invites were sent; try again later', retryAfter })
}

const secondsBefore = (moment: Date, seconds: number): Date => new Date(moment.getTime() - seconds * 1000)

const waitAfter = (now: Date, moment: string | null, seconds: number): number =>
  moment === null ? 0 : Math.max(0, Math.ceil((Date.parse(moment) - now.getTime()) / 1000 + seconds))
