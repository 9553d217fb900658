// What is done with the vendor's API keys: each act is in the service's audit log.
import { serviceChange } from '#kernel/data/audit/audit.ts'
import { first, one, type SystemContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import { forbidden, invalid, notFound } from '#kernel/values/errors.ts'
import { knownOrganizations } from '#kernel/access/callers.ts'
import { bytesOf, newPair, rotated, type Rotation, storedLimits } from '#modules/identity/auth/keys/key-limits.ts'
import { permissionsNow } from '#modules/identity/staff/acting-staff.ts'
import type { VendorKeyAct } from '#texts/mail/key-contents.ts'
import { tellOfKey } from './jobs.ts'
import { type KeySettings, vendorKeys } from './queries.ts'
import type { NewVendorKey, VendorKey, VendorKeyChange, VendorKeyRequest } from './vendor-key.ts'
import { withReading } from './vendor-key.ts'

export async function createVendorKey(ctx: SystemContext, body: VendorKeyRequest): Promise<NewVendorKey> {
  const { consumerKey, consumerSecret } = newPair('v')
  const nothing = { organization_ids: null, expires_at: null, allowed_ips: null }
  const decided = await decidedBy(ctx, { ...nothing, name: body.name, permissions: body.permissions }, body)
  const secrets = { consumer_key: consumerKey, secret_digest: bytesOf(consumerSecret) }
  const made = await one(ctx, vendorKeys.add({ ...decided, ...secrets, created_by: ctx.caller.userId }, ctx.now))
  await audit(ctx, 'created', made.id, { after: decided })
  return { ...made, consumer_key: consumerKey, consumer_secret: consumerSecret }
}

/** Counts from the next request of the key on. */
export async function changeVendorKey(ctx: SystemContext, id: number, body: VendorKeyChange): Promise<VendorKey> {
  const key = await locked(ctx, id)
  await assertHolds(ctx, key)
  const before = decisionsOf(key)
  const after = await decidedBy(ctx, before, body)
  const changed = await one(ctx, vendorKeys.change(id, after, ctx.now))
  await audit(ctx, 'updated', id, { before, after })
  return changed
}

export async function rotateVendorKey(ctx: SystemContext, id: number, body: Rotation): Promise<NewVendorKey> {
  const key = await locked(ctx, id)
  await assertHolds(ctx, key)
  const { secret, columns } = rotated(key, body, ctx)
  const changed = await one(ctx, vendorKeys.rotate(id, columns, ctx.now))
  const { previous_secret_ends_at } = changed
  await audit(ctx, 'rotated', id, { after: { previous_secret_ends_at } })
  return { ...changed, consumer_key: key.consumer_key, consumer_secret: secret }
}

export async function revokeVendorKey(ctx: SystemContext, id: number): Promise<void> {
  const key = await locked(ctx, id)
  await ctx.ask(vendorKeys.revoke(id, ctx.now))
  await audit(ctx, 'revoked', id, { before: decisionsOf(key) })
}

async function locked(ctx: SystemContext, id: number) {
  const key = await first(ctx, vendorKeys.locked(id))
  if (!key) throw notFound()
  return key
}

const decisionsOf = ({ name, permissions, organization_ids, expires_at, allowed_ips }: VendorKey): KeySettings => ({
  name,
  permissions,
  organization_ids,
  expires_at,
  allowed_ips,
})

/** What holds after the body; 403 for permissions that the caller lacks, 422 for organizations that do not exist. */
async function decidedBy(ctx: SystemContext, before: KeySettings, body: VendorKeyChange): Promise<KeySettings> {
  const { name = before.name, organization_ids = before.organization_ids } = body
  const permissions = withReading(body.permissions ?? before.permissions)
  const decided = { ...before, name, permissions, organization_ids, ...storedLimits(body) }
  await assertHolds(ctx, decided)
  if (body.organization_ids) await assertKnown(ctx, body.organization_ids)
  return decided
}

/**
 * Nobody gets by a key what they may not do themselves. Keys outlast their makers, so their roles are read once more.
 */
async function assertHolds(ctx: SystemContext, { permissions }: Pick<KeySettings, 'permissions'>): Promise<void> {
  const held = await permissionsNow(ctx)
  const missing = permissions.find((permission) => !held.includes(permission))
  if (missing) throw forbidden('more_than_own', `You lack the permission ${missing} yourself`)
}

async function assertKnown(ctx: SystemContext, ids: readonly number[]): Promise<void> {
  const known = new Set((await ctx.ask(knownOrganizations(ids))).map(({ organization_id: id }) => id))
  const unknown = ids.flatMap((id, index) =>
    known.has(id) ? [] : [[`organization_ids.${index}`, 'no such organization']],
  )
  if (unknown.length > 0) throw invalid(Object.fromEntries(unknown))
}

/** Each act is mailed to the administrators: a key reaches far, and outlasts whoever made it. */
async function audit(
  ctx: SystemContext,
  action: VendorKeyAct,
  id: number,
  { before = null, after = null }: { before?: object | null; after?: object | null },
): Promise<void> {
  const images = { before: before && { ...before }, after: after && { ...after } }
  const entry = await one(
    ctx,
    sql<{ id: number }>`${serviceChange(ctx, action, { resource: 'vendor_key', id, ...images })} returning id`,
  )
  await tellOfKey(ctx, entry.id)
}
