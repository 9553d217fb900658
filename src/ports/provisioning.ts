// Port: the vendor's own system that sets environments up, suspends, resumes, changes and removes them, and reports the
// result.
import type { ReceivedHeaders } from './standard-webhooks.ts'
import { Type, type Static } from 'typebox'
import { Nullable } from '#kernel/values/schema.ts'

/** `change`: of the plan, which is what the entitlement gives. */
export const PROVISIONING_ACTS = ['provision', 'suspend', 'resume', 'decommission', 'change'] as const
export type ProvisioningAct = (typeof PROVISIONING_ACTS)[number]

export type ProvisioningRequest = {
  act: ProvisioningAct
  /** The same for every attempt, so that the system answers a repeated request with its result. */
  requestId: string
  organizationId: number
  organizationName: string
  environment: {
    id: number
    name: string
    platform: string
    environment_type: string
    url: string | null
    entitlement_code: string
    production_id: number | null
    metadata: string | null
  }
  entitlement: {
    code: string
    product_name: string
    quantity: number
    /** What one unit gives. */
    features: { key: string; type: string; value: boolean | number | string }[]
  }
  now: Date
}

/** `error` is shown to the customer. */
export const ProvisioningAnswer = Type.Union([
  Type.Object({ status: Type.Literal('done'), url: Nullable(Type.String()) }),
  /** Accepted; a report will come. */
  Type.Object({ status: Type.Literal('pending') }),
  Type.Object({ status: Type.Literal('failed'), error: Type.String() }),
])
export type ProvisioningAnswer = Static<typeof ProvisioningAnswer>

/** Stored reports are read by this schema. */
export const ProvisioningReport = Type.Object({
  kind: Type.Literal('report'),
  /** The sender's message id: a repeat is the same report. */
  dedupeKey: Type.String(),
  providerType: Type.String(),
  requestId: Type.String(),
  answer: ProvisioningAnswer,
})
export type ProvisioningReport = Static<typeof ProvisioningReport>

/** The result of reading an inbound body. */
export type ReceivedReport =
  | ProvisioningReport
  /** Of a type that is not used. */
  | { kind: 'ignored'; dedupeKey: string; providerType: string }
  /** Correctly signed, but not of a known shape. */
  | { kind: 'unreadable'; reason: string }
  /** The signature is missing, wrong or too old. */
  | { kind: 'unsigned'; reason: string }

/** The system gave no answer, or none that says what happened: try again with the same request id. */
export class ProvisioningUnavailable extends Error {}

export interface Provisioning {
  /** Null without a provisioning system: staff do it by hand. What is so already is `done`. */
  request(request: ProvisioningRequest): Promise<ProvisioningAnswer | null>
  /** Verifies the signature over the raw bytes before it parses anything. Never throws because of the request. */
  readReport(headers: ReceivedHeaders, body: Buffer, now: Date): ReceivedReport
}
