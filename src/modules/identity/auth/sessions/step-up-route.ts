// The endpoint of the step up (docs/interface/identity.md, Authentication).
import { user } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { checkStepUp, proofRules, stepUp, SteppedUp, StepUpProof } from './step-up.ts'

export const stepUpRoute = route({
  method: 'POST',
  path: '/auth/step-up',
  access: user,
  purpose: 'Prove again who you are, for dangerous acts.',
  description:
    'By one of: a code of the authenticator app, a recovery code, a passkey, or, without an app, the ' +
    'password. Dangerous acts are then admitted for STEP_UP_MINUTES, and the session counts as one with the ' +
    'second factor that was used.',
  body: StepUpProof,
  rules: proofRules,
  openapi: { example: { code: '287082' } },
  data: SteppedUp,
  features: { limit: { policy: 'credentials' } },
  before: (io, { body }) => checkStepUp(io, body),
  run: async (ctx, _input, proof) => ({ data: await stepUp(ctx, proof) }),
})
