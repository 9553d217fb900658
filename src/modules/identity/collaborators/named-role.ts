// The named role (docs/interface/identity.md, Named roles): a bundle of scopes that members hold together.
import { Type, type Static } from 'typebox'
import { SCOPE_NAMES, SCOPES, type Flag, type Scope } from '#kernel/values/permissions.ts'
import { table } from '#kernel/data/table.ts'
import { Closed, Id, Line, Name, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'

export const MAX_ROLES = 50

const RoleName = { ...Name, maxLength: 60, examples: ['Accounting'] }
const Description = Nullable({ ...Line, examples: ['Pays and keeps the books'] })
const Scopes = Type.Array(Type.Enum(SCOPE_NAMES), {
  uniqueItems: true,
  description: 'What its members may do',
  examples: [['finances', 'orders']],
})

export const NamedRole = Type.Object(
  {
    id: Id,
    organization_id: Id,
    name: RoleName,
    description: Description,
    scopes: Scopes,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A bundle of scopes with a name' },
)
export type NamedRole = Static<typeof NamedRole>

export const namedRolesTable = table('organization_roles', 'role', NamedRole)

export const NewNamedRole = Closed({ name: RoleName, description: Type.Optional(Description), scopes: Scopes })
export type NewNamedRole = Static<typeof NewNamedRole>
export const NamedRoleChange = Closed(Type.Partial(NewNamedRole).properties)
export type NamedRoleChange = Static<typeof NamedRoleChange>
export const NamedRolePaging = Closed(Paging)

/** All flags of a member who holds these scopes, and no others. */
export function flagsOf(scopes: readonly Scope[]): { [Name in Flag]: boolean } {
  const has = (scope: Scope): boolean => scopes.includes(scope)
  return {
    can_manage_org: has('organization'),
    can_manage_finances: has('finances'),
    can_manage_orders: has('orders'),
    can_manage_licenses: has('licenses'),
    can_manage_tickets: has('tickets'),
    can_manage_quotes: has('quotes'),
    can_manage_contracts: has('contracts'),
    can_manage_documents: has('documents'),
    can_manage_downloads: has('downloads'),
    can_manage_entitlements: has('entitlements'),
  } satisfies Record<(typeof SCOPES)[Scope]['flag'], boolean>
}
