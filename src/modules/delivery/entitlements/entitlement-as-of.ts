// GET /entitlements/{id} with `as_of`: the entitlement as it was.
import { notFound } from '#kernel/values/errors.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import { assertNoProblems } from '#kernel/values/validation/validation.ts'
import { notBefore, notInFuture } from '#kernel/values/time/time-rules.ts'
import type { Entitlement } from './entitlement.ts'
import { entitlements } from './queries.ts'

type Then = { id: number; asOf: string; now: Date }

export const entitlementAsOf = (org: number, { id, asOf, now }: Then): ReadPlan<Entitlement> =>
  parts([entitlements.asOf(org, id, new Date(asOf)), entitlements.keptSince], ([[entitlement], [kept]]) => {
    assertNoProblems(notInFuture('as_of', asOf, now), notBefore('as_of', asOf, kept?.removed_before))
    if (!entitlement) throw notFound()
    return entitlement
  })
