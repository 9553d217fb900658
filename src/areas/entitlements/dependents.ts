// A suspended entitlement suspends its licenses and environments, and back (docs/interface.md, Entitlements).
import type { OrganizationContext } from '#kernel/context.ts'

export async function suspendDependents(_ctx: OrganizationContext, _id: number): Promise<void> {}
export async function resumeDependents(_ctx: OrganizationContext, _id: number): Promise<void> {}
export async function cancelDependents(_ctx: OrganizationContext, _id: number): Promise<void> {}
