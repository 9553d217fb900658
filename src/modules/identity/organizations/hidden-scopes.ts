// What the members of an organization do not see, whatever they were granted. Staff set it; it is read where scopes are
// (`visible_scopes` of the database), so that all that asks for a scope follows.
import { Type } from 'typebox'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { forbidden } from '#kernel/values/errors.ts'
import { holds, type Scope } from '#kernel/values/permissions.ts'
import { scopesWith } from '#kernel/values/staff-roles.ts'
import { HIDEABLE } from '#ports/vendor-settings.ts'
import { settingOf } from '#ports/settings-in-force.ts'

export const HiddenScopes = Type.Array(Type.Enum(HIDEABLE), {
  uniqueItems: true,
  description:
    'The scopes that no member has, the owner neither, whatever they were granted; grants are kept, and count again ' +
    'once the scope is shown. null: the setting `hidden_scopes`',
  examples: [['contracts', 'downloads']],
})

type Hidden = readonly Scope[] | null

/** 403 for showing what the staff may not change themselves: they would give it to members. */
export async function assertMayShow(
  ctx: OrganizationContext,
  before: Hidden,
  after: Hidden | undefined,
): Promise<void> {
  const { caller } = ctx
  if (after === undefined || caller.permissions === undefined) return
  const byDefault = await settingOf(ctx, 'vendor', 'hidden_scopes')
  const hidden = after ?? byDefault
  const mine = scopesWith('write', caller.permissions)
  const lacked = (before ?? byDefault).find((scope) => !hidden.includes(scope) && !holds(mine, scope))
  if (lacked) throw forbidden('more_than_own', `The scope ${lacked} is not yours to show`)
}
