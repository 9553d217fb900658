// Creates, changes and removes connections. Only owners do: whoever sets the provider up can sign in as anybody of its
// domains.
import { insert, remove, update } from '#kernel/data/changes.ts'
import { first, one, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid, notFound } from '#kernel/values/errors.ts'
import { seal } from './sealed.ts'
import { urlProblem } from '#kernel/network/public-url.ts'
import { requireAuthority } from '#modules/identity/collaborators/authority-over.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import {
  type ConnectionChange,
  MAX_CONNECTIONS,
  type NewConnection,
  type SsoConnection,
  ssoConnectionsTable,
} from './connection.ts'
import { endConnection } from './job-kinds.ts'
import { connections } from './queries.ts'
import { requireDomains } from './required-domains.ts'

/** What the secrets of connections are sealed for. */
export const CLIENT_SECRET = 'sso-client-secret'

export const sealSecret = (secretKey: string, secret: string): Promise<string> => seal(secretKey, CLIENT_SECRET, secret)

export async function createConnection(
  ctx: OrganizationContext,
  body: NewConnection,
  sealedSecret: string,
): Promise<SsoConnection> {
  await requireAuthority(ctx, 'owner')
  assertIssuer(ctx, body.issuer)
  if (!(await first(ctx, connections.room(ctx.organizationId))))
    throw conflict('limit_reached', `There can be ${MAX_CONNECTIONS} connections`)
  await assertFree(ctx, body.domains, null)
  const { creates_members = true, member_scopes = [], trusts_email = false, ...rest } = body
  const values = { ...rest, creates_members, member_scopes, trusts_email, client_secret: sealedSecret }
  const { id } = await insert(ctx, ssoConnectionsTable, values)
  return one(ctx, connections.one(ctx.organizationId, id))
}

/**
 * A new issuer is another provider: sessions and accounts of the former end, and it is to be tried before it is
 * required.
 */
export async function changeConnection(
  ctx: OrganizationContext,
  id: number,
  { body, sealedSecret }: { body: ConnectionChange; sealedSecret: string | null },
): Promise<SsoConnection> {
  await requireAuthority(ctx, 'owner')
  const before = await there(ctx, id)
  if (body.issuer !== undefined) assertIssuer(ctx, body.issuer)
  if (body.domains !== undefined) await assertFree(ctx, body.domains, id)
  const isOther = body.issuer !== undefined && body.issuer !== before.issuer
  if ((body.is_required ?? before.is_required) && (isOther || before.last_used_at === null))
    throw conflict('sso_not_tried', 'Sign in by the connection first; only then it can be required')
  await update(ctx, ssoConnectionsTable, id, { ...body, ...(sealedSecret !== null && { client_secret: sealedSecret }) })
  if (isOther) {
    await connections.unused(ctx, id)
    await enqueue(ctx, endConnection, { connection_id: id })
  }
  await requireDomains(ctx)
  return one(ctx, connections.one(ctx.organizationId, id))
}

export async function removeConnection(ctx: OrganizationContext, id: number): Promise<void> {
  await requireAuthority(ctx, 'owner')
  await there(ctx, id)
  await remove(ctx, ssoConnectionsTable, id)
  await enqueue(ctx, endConnection, { connection_id: id })
  await requireDomains(ctx)
}

async function there(ctx: OrganizationContext, id: number): Promise<SsoConnection> {
  const found = await first(ctx, connections.one(ctx.organizationId, id))
  if (!found) throw notFound()
  return found
}

function assertIssuer({ settings }: OrganizationContext, issuer: string): void {
  const problem =
    urlProblem(issuer, settings.webhooks.loopback) ??
    (issuer.includes('?') ? 'must not have a query' : null) ??
    (isOfAllTenants(issuer) ? OF_ALL_TENANTS : null)
  if (problem !== null) throw invalid({ issuer: problem })
}

/**
 * Of Entra ID: the paths for the accounts of every company and of all people. 9188… is the tenant of personal accounts.
 */
const ALL_TENANTS = /^\/(common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad|%7b[^/]*)(\/|$)/i
const ENTRA = /(^|\.)(microsoftonline\.(com|us)|partner\.microsoftonline\.cn|windows\.net|login\.microsoft\.com)$/i
const OF_ALL_TENANTS = 'must be that of one tenant (https://login.microsoftonline.com/<tenant id>/v2.0)'

function isOfAllTenants(issuer: string): boolean {
  const { hostname, pathname } = new URL(issuer)
  return ENTRA.test(hostname) && ALL_TENANTS.test(pathname)
}

async function assertFree(ctx: OrganizationContext, domains: readonly string[], but: number | null): Promise<void> {
  const taken = await first(ctx, connections.taken(ctx.organizationId, domains, but))
  if (taken) throw conflict('sso_domain_taken', `Another connection has the domain ${taken.domain}`)
}
