// API keys of the vendor, for tests of what they may do.
import { randomBytes } from 'node:crypto'
import type { StaffPermission } from '#kernel/values/staff-roles.ts'
import { digest } from '#kernel/keys/secrets.ts'
import type { TestApp } from '#test/harness/app.ts'
import type { Speaker } from '#test/harness/world.ts'

type Options = {
  permissions: readonly StaffPermission[]
  organizations?: readonly number[] | null
  expiresAt?: Date
  allowedIps?: readonly string[]
}

export type VendorKeySpeaker = Speaker & { id: number; consumerKey: string; secret: string }

/** The key, and requests with it as Basic; in an organization by `world.inside`. */
export async function vendorKey(app: TestApp, options: Options): Promise<VendorKeySpeaker> {
  const { permissions, organizations = null, expiresAt = null, allowedIps = null } = options
  const creator = await app.world.user({ roles: ['customer', 'administrator'] })
  const consumerKey = `vk_${randomBytes(16).toString('hex')}`
  const secret = `vs_${randomBytes(16).toString('hex')}`
  const [row] = await app.database.query<{ id: number }>(
    `insert into vendor_keys (name, consumer_key, secret_digest, permissions, organization_ids, last_four, expires_at,
                              allowed_ips, created_by, created_at, updated_at)
     values ('test', $1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning id`,
    [
      consumerKey,
      digest(secret),
      permissions,
      organizations,
      consumerKey.slice(-4),
      expiresAt,
      allowedIps,
      creator.userId,
      app.clock.now,
    ],
  )
  const authorization = basic(consumerKey, secret)
  return { ...app.world.speaker({ authorization }, creator), id: row?.id ?? 0, consumerKey, secret }
}

export const basic = (key: string, secret: string): string =>
  `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`
