// The contract (spec 2.16): its states, its terms and the bodies that staff send.
import { acrossFilters } from '#kernel/data/lists/across.ts'
import { listing, OPTIONAL_DATE, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import { BusinessHours } from '#modules/delivery/business-hours/business-hours.ts'
import { type History, HistoryEntry } from '#kernel/data/audit/history.ts'
import { moves } from '#kernel/data/moves.ts'
import { externalIdFilter, givenIntegration, integration } from '#kernel/values/integration.ts'
import {
  AnyOf,
  CalendarDate,
  Closed,
  Company,
  Id,
  Name,
  Nullable,
  Paging,
  Text,
  Timestamp,
} from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'

export const STATUSES = ['draft', 'active', 'suspended', 'expired', 'cancelled', 'renewed'] as const
export const ContractStatus = Type.Enum(STATUSES, { examples: ['active'] })
export type ContractStatus = Static<typeof ContractStatus>

export const contractMoves = moves(STATUSES, {
  activate: { from: ['draft'], to: 'active', event: 'activated' },
  suspend: { from: ['active'], to: 'suspended' },
  expire: { from: ['active', 'suspended'], to: 'expired' },
  cancel: { from: ['draft', 'active', 'suspended'], to: 'cancelled' },
  renew: { from: ['active', 'expired'], to: 'renewed' },
  resume: { from: ['suspended'], to: 'active', event: 'resumed' },
  reinstate: { from: ['expired'], to: 'active', event: 'reinstated' },
  /** Paid for after its end, when it was suspended until then. */
  suspendAgain: { from: ['expired'], to: 'suspended' },
})

const minutes = Type.Optional(
  Nullable(Type.Integer({ minimum: 1, maximum: 527_040, description: 'Minutes, a year at most', examples: [240] })),
)
/** Minutes by the priority of a ticket; null or absent means no promise. */
export const ServiceLevel = Closed(
  { low: minutes, normal: minutes, high: minutes, urgent: minutes },
  { description: 'Minutes by the priority of a ticket; null or absent: no service level' },
)

export const Contract = Type.Object(
  {
    id: Id,
    title: Name,
    status: ContractStatus,
    start_date: CalendarDate,
    end_date: Nullable(CalendarDate),
    organization_id: Id,
    company: Company,
    entitlement_id: Nullable(Id),
    entitlement_code: Nullable(Type.String({ examples: ['ENV-2026110001'] })),
    terms: Nullable(Text),
    notes: Nullable(Text),
    notice_days: Nullable(
      Type.Integer({
        minimum: 0,
        maximum: 3650,
        description: 'Length of the notice window in days before the end',
        examples: [60],
      }),
    ),
    notice_date: Nullable(
      Type.String({ format: 'date', description: 'When the notice window opens', examples: ['2026-11-01'] }),
    ),
    sla_first_response_minutes: Nullable(ServiceLevel),
    sla_resolution_minutes: Nullable(ServiceLevel),
    business_hours: Nullable(BusinessHours),
    ...integration,
    predecessor_id: Nullable(Id),
    successor_id: Nullable(Id),
    activated_at: Nullable(Timestamp),
    reinstated_at: Nullable({
      ...Timestamp,
      description: 'When a payment for its entitlement, which came after its end, put it into force again',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A contract with an organization' },
)
export type Contract = Static<typeof Contract>

export const contractListing = listing({ created_at: TIME, updated_at: TIME, end_date: OPTIONAL_DATE }, 'updated_at')
export const ContractFilters = Closed({
  ...Paging,
  ...contractListing.parameters,
  ...externalIdFilter,
  status: AnyOf(ContractStatus),
})
export type ContractFilters = Static<typeof ContractFilters>
export const AdministratorsContractFilters = acrossFilters({
  ...ContractFilters.properties,
  company: Type.Optional(Company),
})
export type AdministratorsContractFilters = Static<typeof AdministratorsContractFilters>

/** Years 1900 to 2199 only, which every calendar can represent. */
const Day = Type.String({ format: 'date', pattern: '^(19|20|21)\\d\\d-', examples: ['2026-12-31'] })

const { terms, notes, notice_days, sla_first_response_minutes, sla_resolution_minutes, business_hours } =
  Contract.properties
const optional = {
  end_date: Type.Optional(Nullable(Day)),
  terms: Type.Optional(terms),
  notes: Type.Optional(notes),
  notice_days: Type.Optional(notice_days),
  sla_first_response_minutes: Type.Optional(sla_first_response_minutes),
  sla_resolution_minutes: Type.Optional(sla_resolution_minutes),
  business_hours: Type.Optional(business_hours),
}
const placed = {
  organization_id: Type.Optional(Id),
  company: Type.Optional(Company),
  entitlement_id: Type.Optional(Nullable(Id)),
}

export const NewContract = Closed({ ...placed, ...optional, ...givenIntegration, title: Name, start_date: Day })
export type NewContract = Static<typeof NewContract>

export const ContractChange = Closed({
  ...placed,
  ...optional,
  ...givenIntegration,
  title: Type.Optional(Name),
  start_date: Type.Optional(Day),
})
export type ContractChange = Static<typeof ContractChange>

export const ContractStatusChange = Closed({
  organization_id: Type.Optional(Id),
  status: ContractStatus,
  note: Type.Optional(Nullable(Text)),
})
export type ContractStatusChange = Static<typeof ContractStatusChange>

/** Absent fields keep the values of the old contract. */
export const ContractRenewal = Closed({
  ...optional,
  organization_id: Type.Optional(Id),
  end_date: Nullable(Day),
  title: Type.Optional(Name),
  start_date: Type.Optional(Day),
  note: Type.Optional(Nullable(Text)),
})
export type ContractRenewal = Static<typeof ContractRenewal>

export const ContractHistoryEntry = HistoryEntry(ContractStatus)
export const contractHistory: History = { name: 'contract_history', of: 'contracts', key: 'contract_id' }

export const contractsTable = table('contracts', 'contract', Contract, {
  moves: contractMoves,
  events: ['amended', 'ending', 'notice_window'],
  derived: ['notice_date'],
  extra: ['warned_days', 'noticed_at'],
  times: ['noticed_at'],
  search: ['title', 'external_id'],
})

const HistoryRow = Type.Object({
  ...ContractHistoryEntry.properties,
  organization_id: Id,
  contract_id: Id,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export const contractHistoryTable = table('contract_history', 'contract_history', HistoryRow)
