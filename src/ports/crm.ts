// Port: a CRM, one instance per legal entity. Companies are recognized by the id of the organization or by its CNPJ,
// deals by the id of the quote; never by a search, whose index may lag.
import type { ReceivedHeaders } from './standard-webhooks.ts'
import { Type, type Static } from 'typebox'
import { Nullable } from '#kernel/values/schema.ts'

/** What both sides know of a company; all that is sent of an organization. */
export const COMPANY_FIELDS = ['name', 'cnpj', 'phone', 'website', 'city', 'state', 'country'] as const
export type CompanyField = (typeof COMPANY_FIELDS)[number]
export type CompanyValues = { [Field in CompanyField]: string | null }

export type CrmCompany = {
  id: string
  /** Of the organization whose company it is; null for a company that no organization has yet. */
  organizationId: number | null
  values: CompanyValues
}

/** The statuses of a quote that have a stage; drafts are never sent. */
export const DEAL_STATUSES = [
  'sent',
  'viewed',
  'accepted',
  'paid',
  'fulfilled',
  'rejected',
  'expired',
  'cancelled',
] as const
export type DealStatus = (typeof DEAL_STATUSES)[number]

export type DealValues = { name: string; amount: string; currency: string; closesOn: string; status: DealStatus }

/** `stage` is the CRM's own name of it. */
export type CrmDeal = { id: string; stage: string; companyIds: string[] }

export type CompanyChange = {
  /** Null: the organization's company is created unless it exists. */
  id: string | null
  organizationId: number
  /** Only these are written; null clears. */
  values: Partial<CompanyValues>
}

export type DealChange = {
  id: string | null
  quoteId: number
  companyId: string
  values: Omit<DealValues, 'status'>
  /** By the CRM's own names. Null: the deal stays in the stage where it is. */
  place: { pipeline: string; stage: string } | null
}

const about = {
  /** A repeat is the same event. */
  dedupeKey: Type.String(),
  /** The provider's own event type, stored for staff. */
  providerType: Type.String(),
}

/** Something about a company or a deal has changed; a job reads it again. Stored events are read by this schema. */
export const CrmEvent = Type.Object({
  ...about,
  kind: Type.Literal('changed'),
  object: Type.Enum(['company', 'deal']),
  /** The changed one, and those that were merged with it. */
  ids: Type.Array(Type.String(), { minItems: 1 }),
  /** Of the organization that the company was given to by hand. */
  organizationId: Nullable(Type.Integer()),
})
export type CrmEvent = Static<typeof CrmEvent>

export type ReceivedCrmEvent =
  | CrmEvent
  /** Of a type that is not used, or a change that we made. */
  | { kind: 'ignored'; dedupeKey: string; providerType: string }
  /** Correctly signed, but not of a known shape. */
  | { kind: 'unreadable'; dedupeKey: string; providerType: string; reason: string }

/** The result of reading an inbound body: its events, each with its part of the body. */
export type ReceivedCrmEvents =
  | { kind: 'signed'; events: { received: ReceivedCrmEvent; body: Buffer }[] }
  /** The signature is missing, wrong or too old. */
  | { kind: 'unsigned'; reason: string }

/** The CRM gave no answer, or none that says what happened: try again. */
export class CrmUnavailable extends Error {}

/** The CRM takes no more calls for the moment. */
export class CrmBusy extends Error {}

/** The CRM refused the values and would refuse them again. */
export class CrmRefused extends Error {}

export interface Crm {
  /** Such as `hubspot`. */
  readonly provider: string
  /** Creates what the CRM needs to recognize our records. Succeeds when it is there already. */
  prepare(): Promise<void>
  /** By the organization's id, else by the CNPJ. */
  findCompany(sought: { organizationId: number; cnpj: string | null }): Promise<CrmCompany | null>
  /** A repeated call creates nothing new. */
  saveCompany(change: CompanyChange): Promise<CrmCompany>
  findDeal(quoteId: number): Promise<CrmDeal | null>
  /** Links the deal with the company. A repeated call creates nothing new. */
  saveDeal(change: DealChange): Promise<CrmDeal>
  /** Verifies the signature over the raw bytes before it parses anything. Never throws because of the request. */
  readEvents(headers: ReceivedHeaders, body: Buffer, now: Date): ReceivedCrmEvents
}
