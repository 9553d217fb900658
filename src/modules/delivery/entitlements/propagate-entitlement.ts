// Licenses, environments and affiliate accounts follow the state of their entitlement (docs/interface/delivery.md,
// Entitlements).
import {
  closeAffiliateOf,
  resumeAffiliateOf,
  suspendAffiliateOf,
} from '#modules/delivery/affiliates/propagate-entitlement.ts'
import { changePlanOf } from '#modules/delivery/environments/change-plan.ts'
import {
  decommissionEnvironmentsOf,
  resumeEnvironmentsOf,
  suspendEnvironmentsOf,
} from '#modules/delivery/environments/propagate-entitlement.ts'
import {
  endLicensesOf,
  expireLicensesOf,
  markLicensesOf,
  renewLicensesOf,
  resumeLicensesOf,
  revokeLicensesOf,
  suspendLicensesOf,
} from '#modules/delivery/licenses/propagate-entitlement.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'

export async function suspendDependents(ctx: OrganizationContext, id: number): Promise<void> {
  await suspendLicensesOf(ctx, id)
  await suspendEnvironmentsOf(ctx, id)
  await suspendAffiliateOf(ctx, id)
}

/** Resumes only what was suspended together with the entitlement. */
export async function resumeDependents(ctx: OrganizationContext, id: number): Promise<void> {
  await resumeLicensesOf(ctx, id)
  await resumeEnvironmentsOf(ctx, id)
  await resumeAffiliateOf(ctx, id)
}

export async function expireDependents(ctx: OrganizationContext, id: number): Promise<void> {
  await expireLicensesOf(ctx, id)
  await suspendEnvironmentsOf(ctx, id)
  await suspendAffiliateOf(ctx, id)
}

export async function renewDependents(ctx: OrganizationContext, id: number, expiresAt: string | null): Promise<void> {
  await renewLicensesOf(ctx, id, expiresAt)
  await resumeEnvironmentsOf(ctx, id)
  await resumeAffiliateOf(ctx, id)
}

export async function cancelDependents(ctx: OrganizationContext, id: number): Promise<void> {
  await revokeLicensesOf(ctx, id)
  await markLicensesOf(ctx, id, false)
  await decommissionEnvironmentsOf(ctx, id)
  await closeAffiliateOf(ctx, id)
}

/** Environments have what it gives; licenses have limits of their own. */
export const changePlanOfDependents = changePlanOf

/** Licenses that end with it wait for the next payment with it. */
export const markDependents = markLicensesOf

/** Call it before the change, because the old end decides which licenses follow; call its result after the change. */
export const endOfDependents = endLicensesOf
