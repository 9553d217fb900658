// API keys (docs/interface.md, Credentials): each is for one organization, some scopes, and reading, writing or both.
// It ends with its creator's membership.
import { Type, type Static } from 'typebox'
import { type OrganizationContext, type SystemContext, first } from '#kernel/data/context.ts'
import { insert, update } from '#kernel/data/changes.ts'
import { unauthenticated } from '#kernel/access/credentials.ts'
import { forbidden, notFound } from '#kernel/http/errors.ts'
import { SCOPE_NAMES, SCOPES, type Scope } from '#kernel/access/permissions.ts'
import { page } from '#kernel/http/route.ts'
import { Closed, Id, Name, Nullable, Paging, type Page, Timestamp } from '#kernel/values/schema.ts'
import { digest, randomToken } from '#kernel/keys/secrets.ts'
import { raw, sql } from '#kernel/data/sql.ts'
import { table } from '#kernel/data/table.ts'

export const PERMISSIONS = ['read', 'write', 'read_write'] as const
const Permission = Type.Enum(PERMISSIONS, {
  description: 'read: GET; write: everything else; read_write: both',
  examples: ['read'],
})
const Scopes = Type.Array(Type.Enum(SCOPE_NAMES), {
  uniqueItems: true,
  minItems: 1,
  examples: [['orders', 'finances']],
})

export const ApiKey = Type.Object(
  {
    id: Id,
    organization_id: Id,
    user_id: Type.Integer({ description: 'Its creator, whose membership it acts with', examples: [7] }),
    name: Name,
    permission: Permission,
    scopes: Scopes,
    last_four: Type.String({ description: 'The last four characters of the consumer key', examples: ['x7Qa'] }),
    revoked_at: Nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A key for programs' },
)
export type ApiKey = Static<typeof ApiKey>

export const NewApiKey = Type.Object(
  {
    ...ApiKey.properties,
    consumer_key: Type.String({ examples: ['ck_9bE1xXo2Yk0dT3uVqLrZsA5w'] }),
    consumer_secret: Type.String({
      description: 'Returned only here',
      examples: ['cs_h5nBqU5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1b'],
    }),
  },
  { description: 'A new key, with its secret' },
)
export type NewApiKey = Static<typeof NewApiKey>

export const ApiKeyRequest = Closed({
  name: Name,
  permission: Type.Optional(Permission),
  scopes: Type.Optional({ ...Scopes, description: 'Only scopes that the caller holds; all of them when absent' }),
})
export type ApiKeyRequest = Static<typeof ApiKeyRequest>
export const ApiKeyPaging = Closed(Paging)

const SECRETS = ['consumer_key', 'secret_digest'] as const
const StoredApiKey = Type.Object({ ...ApiKey.properties, consumer_key: Type.String(), secret_digest: Type.String() })
export const apiKeysTable = table('api_keys', 'api_key', StoredApiKey, { events: ['revoked'], masked: SECRETS })

export const apiKeys = {
  page: (org: number, query: Page) =>
    page(query, {
      columns: sql`${raw(Object.keys(ApiKey.properties).join(', '))}`,
      from: sql`from api_keys where organization_id = ${org} and revoked_at is null`,
    }),
  live: (org: number, id: number) => sql`
    select id from api_keys where organization_id = ${org} and id = ${id} and revoked_at is null`,
  /** The organizations in which the account may have keys, or be creating one at this moment. */
  organizationsOf: (userId: number) => sql<{ organization_id: number }>`
    select organization_id from collaborators where user_id = ${userId} and role <> 'pending' order by organization_id`,
  /** The caller's session, unless it ended while the request waited in the tenant queue. */
  sessionOf: ({ sessionId, userId }: OrganizationContext['caller']) => sql`
    select id from sessions where id = ${sessionId} and user_id = ${userId} and ended_at is null`,
  /** The scopes of the creator's own membership. Staff without one get no key, because it would have no scopes. */
  creatorScopes: (org: number, userId: number | null) => sql<{ scopes: Scope[] }>`
    select scopes from collaborators where organization_id = ${org} and user_id = ${userId} and role <> 'pending'`,
}

export async function createApiKey(ctx: OrganizationContext, body: ApiKeyRequest): Promise<NewApiKey> {
  if (ctx.caller.kind === 'user' && !(await first(ctx, apiKeys.sessionOf(ctx.caller)))) throw unauthenticated()
  const creator = await first(ctx, apiKeys.creatorScopes(ctx.organizationId, ctx.caller.userId))
  if (!creator) throw forbidden('Only a collaborator of the organization can make an API key')
  const scopes = body.scopes ?? creator.scopes
  const foreign = scopes.find((scope) => !creator.scopes.includes(scope))
  if (foreign) throw forbidden(`Scope not authorized: ${foreign}`)
  const consumerKey = `ck_${randomToken(18)}`
  const consumerSecret = `cs_${randomToken(32)}`
  const { secret_digest: _digest, ...made } = await insert(ctx, apiKeysTable, {
    user_id: ctx.caller.userId ?? undefined,
    name: body.name,
    permission: body.permission ?? 'read',
    scopes: [...new Set([...scopes, ...scopes.flatMap((scope) => SCOPES[scope].implies)])],
    last_four: consumerKey.slice(-4),
    consumer_key: consumerKey,
    secret_digest: `\\x${digest(consumerSecret).toString('hex')}`,
  })
  return { ...made, consumer_secret: consumerSecret }
}

export async function revokeApiKey(ctx: OrganizationContext, id: number): Promise<void> {
  if (!(await first(ctx, apiKeys.live(ctx.organizationId, id)))) throw notFound()
  await update(ctx, apiKeysTable, id, { revoked_at: ctx.now.toISOString() }, apiKeysTable.events.revoked)
}

/** A key ends with its creator's membership. A later membership does not restore it. */
export async function revokeKeysOf(ctx: OrganizationContext, userId: number): Promise<void> {
  const keys = await ctx.ask<{ id: number }>(sql`
    select id from api_keys where organization_id = ${ctx.organizationId} and user_id = ${userId} and revoked_at is null`)
  for (const { id } of keys)
    await update(ctx, apiKeysTable, id, { revoked_at: ctx.now.toISOString() }, apiKeysTable.events.revoked)
}

/** Revokes the account's keys in all organizations, when its owner may not have created them. */
export async function revokeKeysEverywhere(ctx: SystemContext, userId: number): Promise<void> {
  for (const { organization_id: organizationId } of await ctx.ask(apiKeys.organizationsOf(userId)))
    await revokeKeysOf(await ctx.enter(organizationId), userId)
}
