// POST /auth/register and /auth/register-email: a user, PENDING until the address is proven.
import type { Fields } from '#kernel/values/validation/problems.ts'
import { randomInt } from 'node:crypto'
import { type Acting, first, type IoContext, type Ports, type SystemContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import type { Input } from '#http/route.ts'
import { languageFrom } from '#texts/language.ts'
import { addressUndos } from './address-undos.ts'
import { mailNothing, issueAndMail } from './mailed-tokens.ts'
import { type PasswordProblem, passwordProblem } from './passwords/passwords.ts'
import { type OpenedSession, openSession } from './sessions/sign-in.ts'
import { actingAs, record } from './account-log.ts'
import { addGivenConsents, type GivenConsents } from './given-consents.ts'
import type { Register, RegisterEmail } from './user.ts'
import { type Account, type NewUser, users } from './users.ts'

type Headers = Input<unknown, unknown, unknown>['raw']['headers']

const PROBLEMS: Record<PasswordProblem, string> = {
  too_short: 'must have at least 8 characters',
  too_long: 'must have at most 128 characters',
  common: 'is among the most common ones; choose another',
}

export const passwordRules = ({ password }: { password?: string }): Fields => {
  const problem = password === undefined ? null : passwordProblem(password)
  return problem ? { password: PROBLEMS[problem] } : {}
}

/** 422 for a password that is not allowed. Runs before the transaction, because hashing is slow. */
export async function hashNew({ ports }: Pick<IoContext, 'ports'>, password: string): Promise<string> {
  const wrong = passwordRules({ password })
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
  return ports.passwords.hash(password)
}

export async function registerUser(
  ctx: SystemContext,
  { email, name, consents }: Register,
  { passwordHash, ports }: { passwordHash: string; ports: Ports },
  headers: Headers,
): Promise<OpenedSession> {
  const user = await createUser(ctx, { ...customer(headers), email, name, passwordHash, now: ctx.now })
  if (!user) throw conflict('email_taken', 'An account with this e-mail address exists already')
  await begin(ctx, user, consents)
  await issueAndMail(ctx, ports, user, 'verify')
  return openSession(ctx, ports, { ...user, signedInBy: 'password' }, headers)
}

/** The answer is the same for known and unknown addresses; the mail lets the owner of the mailbox in. */
export async function registerEmail(
  ctx: SystemContext,
  ports: Ports,
  { email, consents }: RegisterEmail,
  headers: Headers,
): Promise<void> {
  const name = email.slice(0, email.lastIndexOf('@'))
  const user = await createUser(ctx, { ...customer(headers), email, name, passwordHash: null, now: ctx.now })
  if (user) await begin(ctx, user, consents)
  const known = user ?? (await first(ctx, users.byEmail(email)))
  if (known) await issueAndMail(ctx, ports, known, known.status === 'PENDING' ? 'verify' : 'reset')
  else await mailNothing(ctx)
}

async function begin(ctx: SystemContext, user: Account, consents: GivenConsents = []): Promise<void> {
  await record(actingAs(ctx, user), 'registered', user.id)
  if (consents.length > 0) await ctx.ask(addGivenConsents(consents, { userId: user.id, at: ctx.now, ip: ctx.ip }))
}

const customer = (headers: Headers) =>
  ({
    status: 'PENDING',
    roles: ['customer'],
    language: languageFrom(headers['accept-language']?.toString(), 'en'),
  }) as const

const TRIES = 20

/** Null when the address is taken, or reserved for the account that has just left it. */
export async function createUser(ctx: Acting, user: NewUser): Promise<Account | null> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (await first(ctx, users.holding(user.email))) return null
    const made = await first(ctx, users.create(user, loginsFor(user.email, attempt)))
    if (made) return made
    if (await first(ctx, addressUndos.keeper(user.email, user.now))) return null
  }
  throw new Error('no login was free')
}

/** The e-mail's local part, else with a number from 2 to 9, else with a large random one. */
export function loginsFor(email: string, attempt: number): string[] {
  const local = email.slice(0, email.lastIndexOf('@')).toLowerCase()
  const base = local.replaceAll(/[^a-z0-9._-]/g, '').slice(0, 60) || 'user'
  const small = attempt === 0 ? [base, ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${base}${number}`)] : []
  return [...small, ...[1_000, 1_000_000, 1_000_000_000].map((limit) => `${base}${randomInt(10, limit)}`)]
}
