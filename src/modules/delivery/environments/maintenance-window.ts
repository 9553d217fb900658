// The maintenance window of an environment, which is announced to its users.
import { Type, type Static } from 'typebox'
import { moves } from '#kernel/data/moves.ts'
import { Closed, Id, Nullable, Text, Timestamp } from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'

export const WINDOW_STATUSES = ['scheduled', 'running', 'ended', 'cancelled'] as const
export const MaintenanceWindowStatus = Type.Enum(WINDOW_STATUSES, { examples: ['scheduled'] })

export const maintenanceWindowMoves = moves(WINDOW_STATUSES, {
  start: { from: ['scheduled'], to: 'running', event: 'started' },
  end: { from: ['running'], to: 'ended' },
  cancel: { from: ['scheduled', 'running'], to: 'cancelled' },
})

export const MaintenanceWindow = Type.Object(
  {
    id: Id,
    environment_id: Id,
    organization_id: Id,
    status: MaintenanceWindowStatus,
    starts_at: Timestamp,
    ends_at: Timestamp,
    note: Nullable(Text),
    started_at: Nullable(Timestamp),
    ended_at: Nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A time of planned maintenance of an environment' },
)
export type MaintenanceWindow = Static<typeof MaintenanceWindow>

export const NewMaintenanceWindow = Closed({
  organization_id: Type.Optional(Id),
  starts_at: Timestamp,
  ends_at: Timestamp,
  note: Type.Optional(Nullable(Text)),
})
export type NewMaintenanceWindow = Static<typeof NewMaintenanceWindow>

export const MaintenanceWindowChange = Closed({
  organization_id: Type.Optional(Id),
  starts_at: Type.Optional(Timestamp),
  ends_at: Type.Optional(Timestamp),
  note: Type.Optional(Nullable(Text)),
})
export type MaintenanceWindowChange = Static<typeof MaintenanceWindowChange>

export const ByWindow = Closed({ id: Id, window_id: Id })

export const maintenanceWindowsTable = table('maintenance_windows', 'maintenance_window', MaintenanceWindow, {
  moves: maintenanceWindowMoves,
})
