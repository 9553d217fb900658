// How many mails of a kind an address got lately, for those that somebody else's mails cause.
import type { IoContext } from '#kernel/data/context.ts'
import { fromNow } from '#kernel/values/time/clock.ts'
import { mails } from './queries.ts'

const HOUR_SECONDS = 3600

/** From the organization, within an hour. */
export async function sentLately(io: IoContext, org: number, mail: { kind: string; email: string }): Promise<number> {
  const [sent] = await io.read(mails.sentSince(org, { ...mail, id: null, since: fromNow(io, -HOUR_SECONDS) }))
  return sent?.to_address ?? 0
}
