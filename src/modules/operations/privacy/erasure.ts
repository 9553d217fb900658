// The erasure of a person: asked for, then after a time in which it can be cancelled done by a job.
import { Type, type Static } from 'typebox'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { AnyOf, Closed, Id, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'
import { LegalBasis } from './consent.ts'

const ErasureStatus = Type.Enum(['scheduled', 'running', 'done', 'cancelled'], {
  description: '`scheduled`: can be cancelled until `due_at`',
  examples: ['scheduled'],
})

const Kept = Type.Object({
  what: Type.String({ examples: ['Invoices, tax invoices, credit notes, orders and payments, with their documents'] }),
  legal_basis: LegalBasis,
  why: Type.String({ examples: ['Tax authorities may ask for them (Código Tributário Nacional, art. 173)'] }),
  until: Nullable({
    ...Timestamp,
    description: 'Null: while the record is kept by the organization that it belongs to',
  }),
})

export const Erasure = Type.Object(
  {
    id: Id,
    user_id: Id,
    status: ErasureStatus,
    requested_by: Id,
    requested_at: Timestamp,
    due_at: { ...Timestamp, description: 'From then on the person is erased' },
    problem: Nullable(
      Type.String({
        description: 'Why it did not begin when it was due; it is tried again a day later',
        examples: ['The person owns organization 7'],
      }),
    ),
    ended_at: Nullable(Timestamp),
    kept: Type.Array(Kept, { description: 'What is not erased, and why' }),
  },
  { description: 'The erasure of a person' },
)
export type Erasure = Static<typeof Erasure>

export const ErasureForStaff = Type.Omit(Erasure, ['kept'])

export const ErasureFilters = Closed({
  ...Paging,
  status: AnyOf(ErasureStatus),
  user_id: Type.Optional(Id),
})
export type ErasureFilters = Static<typeof ErasureFilters>

export const eraseDue = jobKind('privacy/erase-due', {})

const DAY_MS = 86_400_000

/** The settings that say for how long. */
export const KEPT_PERIODS = ['fiscal_years', 'events_days', 'webhook_delivery_days', 'inbound_event_days'] as const
export type KeptPeriods = Record<(typeof KEPT_PERIODS)[number], number>

/** What an erasure that is due then leaves. */
export function keptAfter(due: Date, periods: KeptPeriods): Erasure['kept'] {
  const { fiscal_years: fiscalYears, events_days, webhook_delivery_days, inbound_event_days } = periods
  const years = new Date(due)
  years.setUTCFullYear(years.getUTCFullYear() + fiscalYears)
  const after = (days: number): string => new Date(due.getTime() + days * DAY_MS).toISOString()
  return [
    {
      what: 'Invoices, tax invoices, credit notes, orders and payments, with their archived documents',
      legal_basis: 'legal_obligation',
      why: 'Tax authorities may ask for them (Código Tributário Nacional, art. 173 and 174)',
      until: years.toISOString(),
    },
    {
      what: 'Quotes and contracts of organizations, with who accepted them',
      legal_basis: 'exercise_of_rights',
      why: 'They prove what was agreed',
      until: null,
    },
    {
      what: 'Texts of tickets, comments and files of organizations, without the name of their author',
      legal_basis: 'contract',
      why: 'They are records of the organization',
      until: null,
    },
    {
      what: 'Audit entries and consents, without name and addresses',
      legal_basis: 'exercise_of_rights',
      why: 'They prove what was done',
      until: null,
    },
    {
      what: 'Events, and what was sent of them to webhook endpoints',
      legal_basis: 'contract',
      why: 'Organizations read them for a time',
      until: after(Math.max(events_days, webhook_delivery_days)),
    },
    {
      what: 'Notifications of payment providers and other systems, as they came',
      legal_basis: 'exercise_of_rights',
      why: 'Payments are proven by them',
      until: inbound_event_days === 0 ? null : after(inbound_event_days),
    },
  ]
}
