// The mail about a sign-in from a new device, and its link that ends all sessions (docs/interface/identity.md).
import { first, type IoContext, type Ports, type SystemContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { derive, isEqual } from '#kernel/keys/secrets.ts'
import { Closed, Id } from '#kernel/values/schema.ts'
import { Type } from 'typebox'
import { actingAs, record } from '../account-log.ts'
import { knownAddresses } from './known-devices.ts'
import { badToken } from '../mailed-tokens.ts'
import { signInChallenges } from '../second-factors/second-factors.ts'
import { sessions } from './sessions.ts'
import { type Account, users } from '../users.ts'

/** The content of the mail comes from the entry of the sign-in in the service's audit log. */
export const mailNewSignIn = jobKind('auth/mail-new-sign-in', { entry_id: Id })

/** As long as the session lasts that was opened. */
const LIFETIME_MS = 7 * 86_400_000

export const EndingToken = Closed({
  token: Type.String({ minLength: 1, maxLength: 200, description: 'Of the link in the mail' }),
})

type Owner = Pick<Account, 'id' | 'email'>

/** Nothing is stored: the token is signed, for the address that it was mailed to. */
function endingToken({ secretKey }: Ports, { id, email }: Owner, until: number): string {
  const mac = derive(secretKey, 'end-sessions', id, until, email.toLowerCase())
  return `${id}.${until}.${mac.toString('base64url')}`
}

export function endingLink(ports: Ports, owner: Owner, signedInAt: Date): { link: string; expiresAt: string } {
  const expires = Math.floor((signedInAt.getTime() + LIFETIME_MS) / 1000)
  const query = new URLSearchParams({ token: endingToken(ports, owner, expires) })
  return {
    link: `${ports.settings.publicUrl}/end-sessions?${query.toString()}`,
    expiresAt: new Date(expires * 1000).toISOString(),
  }
}

export async function checkEnding({ read, ports, now }: IoContext, token: string): Promise<Owner> {
  const [, id, until] = /^(\d{1,15})\.(\d{10})\.[\w-]{43}$/.exec(token) ?? []
  const isOver = until === undefined || Number(until) * 1000 <= now.getTime()
  const [account] = isOver ? [] : await read(users.byId(Number(id)))
  if (!account || !isEqual(token, endingToken(ports, account, Number(until)))) throw badToken('token')
  return account
}

/**
 * Also the sign-ins that wait for a second factor. Programs are new to the account afterwards: the next sign-in of each
 * is mailed.
 */
export async function endAllSessions(ctx: SystemContext, { id, email }: Owner): Promise<{ ended: number }> {
  const account = await first(ctx, users.locked(id))
  if (!account || account.email !== email) throw badToken('token')
  await ctx.ask(signInChallenges.removeAllOf(id))
  await ctx.ask(knownAddresses.removeAllOf(id))
  const { length: ended } = await ctx.ask(sessions.endAllOf(id, ctx.now))
  await record(actingAs(ctx, account), 'sessions_ended_by_mail', id, { ended })
  return { ended }
}
