// The input of a change: valid, and with the proof and the reason that the act needs.
import type { AccessDecision } from '#kernel/access/access-decision.ts'
import { validInput } from './input.ts'
import { reasoned } from '#http/features/reason-header.ts'
import type { RequestContext } from './request-context.ts'
import type { Input } from './route.ts'
import { steppedUp } from '#http/features/step-up.ts'

export const approvedInput = (
  context: RequestContext,
  decision: AccessDecision,
  fields?: Record<string, unknown>,
): Input<never, never, never> =>
  reasoned(context, decision, steppedUp(context, decision, validInput(context, decision, fields)))
