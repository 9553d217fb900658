// API keys (docs/interface/general.md, Credentials): each is for one organization, some scopes, and reading, writing or
// both. It ends with its creator's membership.
import { Type, type Static } from 'typebox'
import { type OrganizationContext, type SystemContext, first } from '#kernel/data/context.ts'
import { insert, update } from '#kernel/data/changes.ts'
import { unauthenticated } from '#kernel/access/credentials.ts'
import { conflict, forbidden, notFound } from '#kernel/values/errors.ts'
import { SCOPE_NAMES, SCOPES, type Scope } from '#kernel/values/permissions.ts'
import { page } from '#http/route.ts'
import { Closed, Id, Name, Nullable, Paging, type Page, Timestamp } from '#kernel/values/schema.ts'
import { permissionFor } from '#kernel/values/staff-roles.ts'
import { raw, sql } from '#kernel/values/sql.ts'
import { table } from '#kernel/data/table.ts'
import {
  bytesOf,
  isWider,
  KeyLimits,
  KeyUse,
  newPair,
  rotated,
  type KeyToRotate,
  type Rotation,
  storedLimits,
} from './key-limits.ts'
import { sessions } from '../sessions/sessions.ts'

const MAX_KEYS = 100
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
    ...KeyLimits,
    ...KeyUse,
    revoked_at: Nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A key for programs' },
)
export type ApiKey = Static<typeof ApiKey>

/** The half that is shown once. */
export const Secret = Type.String({
  description: 'Returned only here',
  examples: ['cs_h5nBqU5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1b'],
})
export const NewApiKey = Type.Object(
  {
    ...ApiKey.properties,
    consumer_key: Type.String({ examples: ['ck_9bE1xXo2Yk0dT3uVqLrZsA5w'] }),
    consumer_secret: Secret,
  },
  { description: 'A new key, or one with a new secret' },
)
export type NewApiKey = Static<typeof NewApiKey>

export const ApiKeyRequest = Closed({
  name: Name,
  permission: Type.Optional(Permission),
  scopes: Type.Optional({ ...Scopes, description: 'Only scopes that the caller holds; all of them when absent' }),
  expires_at: Type.Optional(KeyLimits.expires_at),
  allowed_ips: Type.Optional(KeyLimits.allowed_ips),
})
export type ApiKeyRequest = Static<typeof ApiKeyRequest>
export const ApiKeyChange = Closed({
  name: Type.Optional(Name),
  expires_at: Type.Optional(KeyLimits.expires_at),
  allowed_ips: Type.Optional(KeyLimits.allowed_ips),
})
export type ApiKeyChange = Static<typeof ApiKeyChange>
export const ApiKeyPaging = Closed(Paging)

/** When it was last used is written beside the audit log, as of sessions. */
const { last_used_at: _used, ...Audited } = ApiKey.properties
const StoredApiKey = Type.Object(Audited)
const SECRETS = ['consumer_key', 'secret_digest', 'previous_digest'] as const
export const apiKeysTable = table('api_keys', 'api_key', StoredApiKey, {
  events: ['rotated', 'revoked', 'expiring'],
  extra: [...SECRETS, 'secret_version', 'expiry_warned_for', 'expiry_warned_days'],
  times: ['last_used_at', 'expiry_warned_for'],
  masked: SECRETS,
})

const columns = raw(Object.keys(ApiKey.properties).join(', '))

export const apiKeys = {
  page: (org: number, query: Page) =>
    page(query, {
      columns: sql`${columns}`,
      from: sql`from api_keys where organization_id = ${org} and revoked_at is null`,
    }),
  /** Gives a row while there is room for another one. */
  room: (org: number) => sql`
    select 1 from api_keys where organization_id = ${org} and revoked_at is null having count(*) < ${MAX_KEYS}`,
  live: (org: number, id: number) => sql<ApiKey>`
    select ${columns} from api_keys where organization_id = ${org} and id = ${id} and revoked_at is null`,
  toRotate: (org: number, id: number) => sql<KeyToRotate & { user_id: number }>`
    select id, user_id, consumer_key, '\\x' || encode(secret_digest, 'hex') as secret_digest, secret_version,
      expires_at,
           previous_secret_ends_at
      from api_keys where organization_id = ${org} and id = ${id} and revoked_at is null for update`,
  /** The organizations in which the account may have keys, or be creating one at this moment. */
  organizationsOf: (userId: number) => sql<{ organization_id: number }>`
    select organization_id from collaborators where user_id = ${userId} and role <> 'pending' order by organization_id`,
  /**
   * What the creator's own membership grants, be it hidden or not. Staff without one get no key, because it would have
   * no scopes.
   */
  creatorScopes: (org: number, userId: number | null) => sql<{ scopes: Scope[] }>`
    select granted_scopes as scopes from collaborators
     where organization_id = ${org} and user_id = ${userId} and role <> 'pending'`,
}

export async function createApiKey(ctx: OrganizationContext, body: ApiKeyRequest): Promise<NewApiKey> {
  await assertLive(ctx)
  const creator = await first(ctx, apiKeys.creatorScopes(ctx.organizationId, ctx.caller.userId))
  if (!creator) throw forbidden('not_a_member', 'Only a collaborator of the organization can make an API key')
  const scopes = body.scopes ?? creator.scopes
  const foreign = scopes.find((scope) => !creator.scopes.includes(scope))
  if (foreign) throw forbidden('scope_missing', `Scope not authorized: ${foreign}`)
  if (!(await first(ctx, apiKeys.room(ctx.organizationId))))
    throw conflict('limit_reached', `There can be ${MAX_KEYS} API keys; revoke those that nothing uses`)
  const { consumerKey, consumerSecret } = newPair('c')
  const secrets = { consumer_key: consumerKey, secret_digest: bytesOf(consumerSecret) }
  const made = await insert(ctx, apiKeysTable, {
    user_id: ctx.caller.userId ?? undefined,
    name: body.name,
    permission: body.permission ?? 'read',
    scopes: [...new Set([...scopes, ...scopes.flatMap((scope) => SCOPES[scope].implies)])],
    last_four: consumerKey.slice(-4),
    ...storedLimits(body),
    ...secrets,
  })
  return { ...made, last_used_at: null, consumer_key: consumerKey, consumer_secret: consumerSecret }
}

/** It may have ended while the request waited in the tenant queue. */
async function assertLive(ctx: OrganizationContext): Promise<void> {
  const { kind, sessionId } = ctx.caller
  if (kind === 'user' && !(await first(ctx, sessions.isStillLive(sessionId)))) throw unauthenticated()
}

export async function changeApiKey(ctx: OrganizationContext, id: number, body: ApiKeyChange): Promise<ApiKey> {
  const live = await liveKey(ctx, id)
  const { name } = body
  const limits = storedLimits(body)
  if (isWider(live, limits)) await assertHoldsAllOf(ctx, live)
  const changed = await update(ctx, apiKeysTable, id, { ...(name !== undefined && { name }), ...limits })
  return { ...live, ...changed }
}

/** 403 for who may do less than the key: by the key they, or whoever has it, would do more. */
async function assertHoldsAllOf(ctx: OrganizationContext, { scopes, permission }: ApiKey): Promise<void> {
  const { permissions, userId } = ctx.caller
  const mine = permissions ? null : await first(ctx, apiKeys.creatorScopes(ctx.organizationId, userId))
  const holdsScope = (scope: Scope): boolean =>
    permissions
      ? permissions.includes(permissionFor(scope, permission !== 'read'))
      : mine?.scopes.includes(scope) === true
  const lacked = scopes.find((scope) => !holdsScope(scope))
  if (lacked)
    throw forbidden(
      'more_than_own',
      `The API key has the scope ${lacked}, which you lack: only its limits can be narrowed`,
    )
}

/** Only by its creator: whoever has the secret acts with the creator's membership. */
export async function rotateApiKey(ctx: OrganizationContext, id: number, body: Rotation): Promise<NewApiKey> {
  await assertLive(ctx)
  const live = await liveKey(ctx, id)
  const key = await first(ctx, apiKeys.toRotate(ctx.organizationId, id))
  if (!key) throw notFound()
  if (key.user_id !== ctx.caller.userId)
    throw forbidden('not_yours', 'Only who made the API key can rotate it; make one of your own instead')
  const { secret, columns: changes } = rotated(key, body, ctx)
  const changed = await update(ctx, apiKeysTable, id, changes, apiKeysTable.events.rotated)
  return { ...live, ...changed, consumer_key: key.consumer_key, consumer_secret: secret }
}

export async function revokeApiKey(ctx: OrganizationContext, id: number): Promise<void> {
  await liveKey(ctx, id)
  await update(ctx, apiKeysTable, id, { revoked_at: ctx.now.toISOString() }, apiKeysTable.events.revoked)
}

async function liveKey(ctx: OrganizationContext, id: number): Promise<ApiKey> {
  const live = await first(ctx, apiKeys.live(ctx.organizationId, id))
  if (!live) throw notFound()
  return live
}

/** A key ends with its creator's membership. A later membership does not restore it. */
export async function revokeKeysOf(ctx: OrganizationContext, userId: number): Promise<void> {
  const keys = await ctx.ask<{ id: number }>(sql`
    select id from api_keys where organization_id = ${ctx.organizationId} and user_id = ${userId}
      and revoked_at is null`)
  for (const { id } of keys)
    await update(ctx, apiKeysTable, id, { revoked_at: ctx.now.toISOString() }, apiKeysTable.events.revoked)
}

/** Revokes the account's keys in all organizations, when its owner may not have created them. */
export async function revokeKeysEverywhere(ctx: SystemContext, userId: number): Promise<void> {
  for (const { organization_id: organizationId } of await ctx.ask(apiKeys.organizationsOf(userId)))
    await revokeKeysOf(await ctx.enter(organizationId), userId)
}
