// The steps of a refund as GET /refunds/{id} shows them: each derived from the record that it changes, and from the
// jobs that wait or have become dead letters, so that there is no second record of them.
import { type Static, Type } from 'typebox'
import { CalendarDate, Id, Nullable, Text, Timestamp } from '#kernel/values/schema.ts'
import { Refund } from './refund.ts'

const STEPS = ['payment', 'credit_note', 'tax_invoice', 'entitlement', 'license', 'subscription', 'commission'] as const
export type StepName = (typeof STEPS)[number]
const PARTIES = ['staff', 'payment_provider', 'tax_authority', 'service'] as const

export const RefundStep = Type.Object(
  {
    step: Type.Enum(STEPS, { examples: ['credit_note'] }),
    status: Type.Enum(['done', 'waiting', 'failed', 'not_needed'], { examples: ['done'] }),
    at: Nullable({ ...Timestamp, description: 'When it was done, or failed' }),
    resource: Nullable(Type.String({ examples: ['credit_note'] })),
    resource_id: Nullable(Id),
    reference: Nullable(Type.String({ description: 'Number or code of that record', examples: ['BRC-000007'] })),
    waits_for: Nullable(Type.Enum(PARTIES, { description: 'Whose turn it is', examples: ['payment_provider'] })),
    until: Nullable({ ...CalendarDate, description: 'The deadline of the tax authority' }),
    problem: Nullable({ ...Text, description: 'What went wrong; of failed jobs only staff see it' }),
  },
  { description: 'A part of what a refund brings about' },
)
export type RefundStep = Static<typeof RefundStep>

export const TrackedRefund = Type.Object(
  { ...Refund.properties, steps: Type.Array(RefundStep) },
  { description: 'A refund, with its steps' },
)
export type TrackedRefund = Static<typeof TrackedRefund>

const NOTHING = {
  at: null,
  resource: null,
  resource_id: null,
  reference: null,
  waits_for: null,
  until: null,
  problem: null,
}

export const stepOf = (
  step: StepName,
  status: RefundStep['status'],
  more: Partial<Omit<RefundStep, 'step' | 'status'>> = {},
): RefundStep => ({ step, status, ...NOTHING, ...more })
