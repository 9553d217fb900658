// An API key of the vendor, and the bodies that make and change one.
import { Type, type Static } from 'typebox'
import { permissionFor, STAFF_SCOPE_NAMES, type StaffPermission } from '#kernel/values/staff-roles.ts'
import { KeyLimits, KeyUse } from '#modules/identity/auth/keys/key-limits.ts'
import { Closed, Id, Name, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'

/** Appointing staff and making keys need a person. */
const KEY_PERMISSIONS = STAFF_SCOPE_NAMES.flatMap((scope): StaffPermission[] =>
  scope === 'staff' ? ['staff:read'] : [permissionFor(scope, false), permissionFor(scope, true)],
)

const Permissions = Type.Array(Type.Enum(KEY_PERMISSIONS), {
  minItems: 1,
  uniqueItems: true,
  description: 'As those of staff: `orders:read` is for GET, `orders:write` for everything else, and brings reading',
  examples: [['orders:read', 'tickets:write']],
})
const Organizations = Nullable(
  Type.Array(Id, {
    minItems: 1,
    maxItems: 500,
    uniqueItems: true,
    description: 'The organizations that the key is for; null: all, later ones too',
    examples: [[1]],
  }),
)

export const VendorKey = Type.Object(
  {
    id: Id,
    name: Name,
    permissions: Permissions,
    organization_ids: Organizations,
    last_four: Type.String({ description: 'The last four characters of the consumer key', examples: ['x7Qa'] }),
    ...KeyLimits,
    ...KeyUse,
    created_by: Type.Integer({ description: 'The user who made it; the key stays when they leave', examples: [1] }),
    created_by_name: Name,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A key of the vendor for programs' },
)
export type VendorKey = Static<typeof VendorKey>

export const NewVendorKey = Type.Object(
  {
    ...VendorKey.properties,
    consumer_key: Type.String({ examples: ['vk_9bE1xXo2Yk0dT3uVqLrZsA5w'] }),
    consumer_secret: Type.String({
      description: 'Returned only here',
      examples: ['vs_h5nBqU5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1b'],
    }),
  },
  { description: 'A new key of the vendor, or one with a new secret' },
)
export type NewVendorKey = Static<typeof NewVendorKey>

const Changeable = {
  organization_ids: Type.Optional(Organizations),
  expires_at: Type.Optional(KeyLimits.expires_at),
  allowed_ips: Type.Optional(KeyLimits.allowed_ips),
}
export const VendorKeyRequest = Closed({ name: Name, permissions: Permissions, ...Changeable })
export type VendorKeyRequest = Static<typeof VendorKeyRequest>
export const VendorKeyChange = Closed({
  name: Type.Optional(Name),
  permissions: Type.Optional(Permissions),
  ...Changeable,
})
export type VendorKeyChange = Static<typeof VendorKeyChange>

export const VendorKeyFilters = Closed({
  ...Paging,
  created_by: Type.Optional(Type.Integer({ minimum: 1, description: 'Those that this user made', examples: [1] })),
})
export type VendorKeyFilters = Static<typeof VendorKeyFilters>

/** In the order of the scopes, with the reading that writing brings. */
export const withReading = (permissions: readonly StaffPermission[]): StaffPermission[] =>
  KEY_PERMISSIONS.filter((one) => permissions.some((held) => held === one || held.replace(/:write$/, ':read') === one))
