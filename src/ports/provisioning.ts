// What we need of the vendor's own system that sets environments up: ask for one, and be told how it went.

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
export type ProvisioningAnswer =
  | { status: 'done'; url: string | null }
  /** Accepted; a report will come. */
  | { status: 'pending' }
  | { status: 'failed'; error: string }

export type ProvisioningReport = {
  /** The sender's message id: a repeat is the same report. */
  dedupeKey: string
  providerType: string
} & ({ kind: 'report'; requestId: string; answer: ProvisioningAnswer } | { kind: 'ignored' })

/** The system did not answer, or not in a way that tells what happened: ask again with the same request id. */
export class ProvisioningUnavailable extends Error {}
/** The report's signature is missing, wrong or too old. */
export class UnsignedReport extends Error {}
/** Rightly signed, but not in a shape that says what happened. */
export class UnreadableReport extends Error {}

export interface Provisioning {
  /** Null where nobody is asked: staff move environments by hand. */
  provision(request: ProvisioningRequest): Promise<ProvisioningAnswer | null>
  /** Verifies the signature over the raw bytes, then reads. */
  readReport(headers: Record<string, string | string[] | undefined>, body: Buffer, now: Date): ProvisioningReport
}
