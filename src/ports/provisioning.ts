// What we need of the vendor's own system that sets environments up: ask for one, and be told how it went.
import { Type, type Static } from 'typebox'
import { Nullable } from '#kernel/values/schema.ts'

export type ProvisioningRequest = {
  /** The same for every try of one request, so that a system that saw it before answers with what became of it. */
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

/** The schema is what stored reports are read by. */
export const ProvisioningReport = Type.Object({
  kind: Type.Literal('report'),
  /** The sender's message id: a repeat is the same report. */
  dedupeKey: Type.String(),
  providerType: Type.String(),
  requestId: Type.String(),
  answer: ProvisioningAnswer,
})
export type ProvisioningReport = Static<typeof ProvisioningReport>

/** What an inbound body turned out to be. */
export type ReceivedReport =
  | ProvisioningReport
  /** Of a type that nobody needs. */
  | { kind: 'ignored'; dedupeKey: string; providerType: string }
  /** Rightly signed, but not in a shape that says what happened. */
  | { kind: 'unreadable'; reason: string }
  /** The signature is missing, wrong or too old. */
  | { kind: 'unsigned'; reason: string }

/** The system did not answer, or not in a way that tells what happened: ask again with the same request id. */
export class ProvisioningUnavailable extends Error {}

export interface Provisioning {
  /** Null where nobody is asked: staff move environments by hand. */
  provision(request: ProvisioningRequest): Promise<ProvisioningAnswer | null>
  /** Verifies the signature over the raw bytes before it parses anything. Never throws for what was sent. */
  readReport(headers: Record<string, string | string[] | undefined>, body: Buffer, now: Date): ReceivedReport
}
