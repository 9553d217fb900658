// The contract (spec 2.16).
import { Type, type Static } from 'typebox'
import { moves } from '#kernel/moves.ts'
import { CalendarDate, Closed, Id, Name, Nullable, Paging, Text, Timestamp } from '#kernel/schema.ts'
import { table } from '#kernel/table.ts'

export const STATUSES = ['draft', 'active', 'suspended', 'expired', 'cancelled', 'renewed'] as const
export const ContractStatus = Type.Enum(STATUSES, { examples: ['active'] })

export const contractMoves = moves(STATUSES, {
  activate: { from: ['draft'], to: 'active', event: 'activated' },
  suspend: { from: ['active'], to: 'suspended' },
  expire: { from: ['active', 'suspended'], to: 'expired' },
  cancel: { from: ['draft', 'active', 'suspended'], to: 'cancelled' },
  renew: { from: ['active', 'expired'], to: 'renewed' },
  resume: { from: ['suspended'], to: 'active', event: 'resumed' },
})

export const Contract = Type.Object(
  {
    id: Id,
    title: Name,
    status: ContractStatus,
    start_date: CalendarDate,
    end_date: Nullable(CalendarDate),
    organization_id: Id,
    entitlement_id: Nullable(Id),
    entitlement_code: Nullable(Type.String({ examples: ['ENV-2026110001'] })),
    terms: Nullable(Text),
    notes: Nullable(Text),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A contract with an organization' },
)
export type Contract = Static<typeof Contract>

export const ContractFilters = Closed({ ...Paging, status: Type.Optional(ContractStatus) })
export type ContractFilters = Static<typeof ContractFilters>

export const contractsTable = table('contracts', 'contract', Contract)
