// GET /entitlements/check: whether the organization may use a product, a class or a feature, and why not. One round
// trip.
import type { Fields } from '#kernel/values/validation/problems.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import { assertNoProblems } from '#kernel/values/validation/validation.ts'
import { notBefore, notInFuture } from '#kernel/values/time/time-rules.ts'
import type { CheckReason, EntitlementCheck, EntitlementQuestion } from './entitlement-check.ts'
import { entitlements, type CheckStateRow } from './queries.ts'

export function checkEntitlements(org: number, question: EntitlementQuestion, now: Date): ReadPlan<EntitlementCheck> {
  const { as_of: asOf } = question
  const at = asOf === undefined ? now : new Date(asOf)
  return parts(
    [entitlements.found(org, question, at), ...(asOf === undefined ? [] : [entitlements.keptSince])],
    ([found, kept]) => {
      assertNoProblems(
        subjectProblems(question),
        notInFuture('as_of', asOf, now),
        notBefore('as_of', asOf, kept?.[0]?.removed_before),
      )
      return answerTo(found, at)
    },
  )
}

function subjectProblems({ product_id, class: one, feature }: EntitlementQuestion): Fields {
  if (product_id !== undefined && one !== undefined) return { class: 'cannot be asked for together with product_id' }
  const isNone = product_id === undefined && one === undefined && feature === undefined
  return isNone ? { query: 'needs product_id, class or feature' } : {}
}

/** Of several reasons the first: the one that the least is missing for. */
const REFUSALS = ['suspended', 'expired', 'not_yet', 'cancelled'] as const

const EXPLANATIONS: Record<CheckReason, string> = {
  active: 'It may be used',
  none: 'Nothing that was sold to the organization includes it',
  suspended: 'What includes it is suspended',
  expired: 'What included it has expired',
  not_yet: 'What includes it was sold later',
  cancelled: 'What included it was cancelled',
  feature_off: 'What was sold to the organization has the feature switched off',
}

/** `found` has a group for each state of entitlements, those that have the feature on and those that have not. */
export function answerTo(found: readonly CheckStateRow[], at: Date): EntitlementCheck {
  const on = (state: CheckReason) => found.find((group) => group.is_on && group.state === state)
  const active = on('active')
  const refused = REFUSALS.find((state) => on(state) !== undefined)
  const off = found.some(({ is_on }) => !is_on) ? 'feature_off' : 'none'
  const reason = active ? 'active' : (refused ?? off)
  const group = on(reason) ?? found.find(({ is_on }) => !is_on)
  return {
    allowed: active !== undefined,
    reason,
    explanation: EXPLANATIONS[reason],
    quantity: active?.quantity ?? 0,
    value: active ? valueOf(active) : null,
    until: active?.until ?? null,
    status_reason_code: group?.last.status_reason_code ?? null,
    status_reason: group?.last.status_reason ?? null,
    entitlement_ids: group?.ids ?? [],
    as_of: at.toISOString(),
  }
}

/** The entitlement that ends last decides of which type the feature is. */
const valueOf = ({ last, sum }: CheckStateRow): EntitlementCheck['value'] =>
  typeof last.value === 'number' ? sum : last.value
