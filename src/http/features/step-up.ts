// Dangerous acts need a recent proof of who the caller is (docs/interface/identity.md, Authentication), so that a
// session that was left open or stolen does not suffice for them. API keys have no person who could prove anything:
// those of organizations are not asked, since as members they may do none of these acts; those of the vendor may not do
// them either.
import type { AccessDecision } from '#kernel/access/access-decision.ts'
import { forbidden } from '#kernel/values/errors.ts'
import type { RequestContext } from '#http/request-context.ts'
import type { Input, Route } from '#http/route.ts'

const MINUTE_MS = 60_000

/** Since when the session has to be authenticated; undefined where no request of the route needs it. */
export const authenticatedSince = ({ features: { stepUp } }: Route, minutes: number, now: Date): Date | undefined =>
  stepUp && minutes > 0 ? new Date(now.getTime() - minutes * MINUTE_MS) : undefined

/** Whether keys of the vendor are refused, whatever the body. */
export const needsPerson = ({ features: { person, stepUp } }: Route): boolean => person === true || stepUp === true

export const isDangerous = ({ features: { stepUp } }: Route, body: Record<string, unknown>): boolean =>
  stepUp === true || (stepUp?.(body) ?? false)

/** The input again; 403 when its act needs a proof that is too old. */
export function steppedUp(
  { route }: RequestContext,
  { isRecent, key }: AccessDecision,
  input: Input<never, never, never>,
): Input<never, never, never> {
  const isAsked = isDangerous(route, input.body)
  if (isAsked && key?.of === 'vendor')
    throw forbidden('person_needed', 'Only a person may do this, with a session of their own; no API key may')
  if (!isRecent && isAsked)
    throw forbidden('step_up_required', 'Prove again who you are with POST /auth/step-up, then repeat the request')
  return input
}
