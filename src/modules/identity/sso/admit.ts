// Which account the provider's answer signs in, and what it becomes a member of (docs/decisions/0091).
import { first, type SystemContext } from '#kernel/data/context.ts'
import type { Result } from '#http/route.ts'
import { actingAs, record } from '#modules/identity/auth/account-log.ts'
import { createUser } from '#modules/identity/auth/register-user.ts'
import { revokeAccess } from '#modules/identity/auth/revoke-access.ts'
import { notify } from '#modules/identity/auth/security-notices.ts'
import type { FirstStep } from '#modules/identity/auth/second-factors/second-factors.ts'
import {
  type Headers,
  openBearerOrChallenge,
  openBrowserOrChallenge,
  type Proven,
} from '#modules/identity/auth/sessions/sign-in.ts'
import type { SignInChallenge } from '#modules/identity/auth/second-factors/second-factor.ts'
import type { Tokens } from '#modules/identity/auth/user.ts'
import { type Account, users } from '#modules/identity/auth/users.ts'
import { joinBySignOn } from '#modules/identity/collaborators/join-by-sign-on.ts'
import { compileCheck } from '#kernel/values/validation/validation.ts'
import { Email, Name } from '#kernel/values/schema.ts'
import { languageFrom } from '#texts/language.ts'
import { signOnCookie } from './begin-sign-in.ts'
import { type CheckedSignOn, notAccepted } from './finish-sign-in.ts'
import { domainOf } from './provider.ts'
import { connections } from './queries.ts'
import type { SignedOnSession } from './sign-on.ts'
import { identities } from './sign-ins.ts'

export async function signOn(
  ctx: SystemContext,
  checked: CheckedSignOn,
  headers: Headers,
): Promise<Result<SignedOnSession>> {
  const { returnPath, ports } = checked
  const opened = await openBrowserOrChallenge(ctx, ports, await admitted(ctx, checked, headers), headers)
  return {
    data: { ...opened.data, return_path: returnPath },
    cookies: [signOnCookie('', 0), ...(opened.cookies ?? [])],
  }
}

/** The same for a program: tokens, or a challenge for POST /auth/login/second-factor. */
export async function signOnProgram(
  ctx: SystemContext,
  checked: CheckedSignOn,
  headers: Headers,
): Promise<Result<Tokens | SignInChallenge>> {
  return openBearerOrChallenge(ctx, checked.ports, await admitted(ctx, checked, headers), headers)
}

async function admitted(ctx: SystemContext, checked: CheckedSignOn, headers: Headers) {
  const { connection } = checked.provider
  // First the organization, then the account, in the order in which an invite locks them.
  const inside =
    checked.userId === null && connection?.creates_members ? await ctx.enter(connection.organization_id) : null
  const account = checked.userId === null ? await linkedNow(ctx, checked, headers) : await linkedBefore(ctx, checked)
  await assertAdmitted(ctx, account, checked)
  if (inside && connection)
    await joinBySignOn(
      { ...inside, caller: actingAs(ctx, account).caller },
      { userId: account.id, email: account.email, scopes: connection.member_scopes, startsAt: ctx.now },
    )
  if (connection && !(await first(ctx, connections.used(connection, ctx.now))))
    throw notAccepted('sso_expired', 'The connection to the identity provider has changed; begin again')
  return provenBy(checked, account)
}

/**
 * What an organization's provider says of further factors counts in that organization only; staff's counts everywhere.
 */
function provenBy(
  { provider: { connection }, signedOn: { hasTwoFactors } }: CheckedSignOn,
  account: Account,
): FirstStep & Proven & Account {
  const sso = {
    connectionId: connection?.id ?? null,
    organizationId: connection?.organization_id ?? null,
    secondFactor: connection !== null && hasTwoFactors,
  }
  const proven = { ...account, signedInBy: 'sso', sso } as const
  return connection === null && hasTwoFactors ? { ...proven, secondFactor: 'sso' } : proven
}

async function linkedBefore(ctx: SystemContext, { userId, signedOn, provider }: CheckedSignOn): Promise<Account> {
  const account = await first(ctx, users.locked(userId ?? 0))
  const known = { ...signedOn, connectionId: provider.connection?.id ?? null }
  if (!account || !(await first(ctx, identities.used(account.id, known, ctx.now))))
    throw notAccepted('sso_account_refused', 'The account is disabled, or no longer linked; begin again')
  return account
}

async function linkedNow(ctx: SystemContext, checked: CheckedSignOn, headers: Headers): Promise<Account> {
  const { signedOn, provider } = checked
  const found = await first(ctx, users.byEmail(signedOn.email ?? ''))
  const account = found ? await first(ctx, users.locked(found.id)) : await registered(ctx, checked, headers)
  if (!account || account.email.toLowerCase() !== signedOn.email?.toLowerCase())
    throw notAccepted('sso_account_refused', 'The account of this address is disabled, or its address is changing')
  const as = actingAs(ctx, account)
  const isUnproven = account.status === 'PENDING'
  if (isUnproven) {
    // Somebody else may have registered the address.
    await revokeAccess(ctx, account.id)
    if (!(await first(ctx, users.prove(account.id, account.email, ctx.now))))
      throw notAccepted('sso_account_refused', 'The address is reserved for another account')
    await record(as, 'address_proven', account.id, { by: 'sso' })
  }
  const known = { ...signedOn, connectionId: provider.connection?.id ?? null }
  if (!(await first(ctx, identities.link(account.id, known, ctx.now))))
    throw notAccepted('sso_account_refused', 'The account is linked to another person of this identity provider')
  await notify(as, account.id, 'sso_linked', { issuer: signedOn.issuer, connection_id: known.connectionId })
  return isUnproven ? { ...account, status: 'ACTIVE', password_hash: null, has_totp: false } : account
}

const isName = compileCheck(Name)
const isEmail = compileCheck(Email)

async function registered(ctx: SystemContext, { signedOn }: CheckedSignOn, headers: Headers): Promise<Account | null> {
  const email = signedOn.email ?? ''
  if (isEmail(email) !== null) return null
  const local = email.slice(0, email.lastIndexOf('@'))
  const name = signedOn.name !== null && isName(signedOn.name) === null ? signedOn.name : local
  const language = languageFrom(headers['accept-language']?.toString(), 'en')
  const account = await createUser(ctx, {
    email,
    name,
    language,
    status: 'ACTIVE',
    roles: ['customer'],
    passwordHash: null,
    now: ctx.now,
  })
  if (account) await record(actingAs(ctx, account), 'registered', account.id, { by: 'sso' })
  return account
}

/**
 * A provider signs in accounts of its domains only, also those that it has signed in before: who has taken their
 * account to another address has left it. No organization's provider signs in the vendor's staff.
 */
async function assertAdmitted(ctx: SystemContext, account: Account, { provider }: CheckedSignOn): Promise<void> {
  if (!provider.domains.includes(domainOf(account.email)))
    throw notAccepted('sso_other_domain', 'The address of the account is not of a domain of this identity provider')
  if (provider.connection !== null && (await first(ctx, users.isStaff(account.id))))
    throw notAccepted('sso_staff', 'Staff sign in by their own identity provider, or with their password')
}
