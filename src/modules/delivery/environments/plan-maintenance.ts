// Maintenance windows: staff plan and change them; a job starts and ends each of them once, however late it runs.
import type { Fields } from '#kernel/values/validation/problems.ts'
import { inFuture } from '#kernel/values/time/time-rules.ts'
import { insert, move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import { allows } from '#kernel/data/moves.ts'
import { ownBody } from '#http/organization-body.ts'
import { environmentMoves, type EnvironmentRow } from './environment.ts'
import { maintenanceWindows } from './maintenance-queries.ts'
import {
  type MaintenanceWindow,
  type MaintenanceWindowChange,
  maintenanceWindowMoves,
  maintenanceWindowsTable,
  type NewMaintenanceWindow,
} from './maintenance-window.ts'
import { moveEnvironment } from './move-environment.ts'
import { environments } from './queries.ts'

export async function planMaintenance(
  ctx: OrganizationContext,
  environmentId: number,
  body: NewMaintenanceWindow,
): Promise<MaintenanceWindow> {
  const values = { ...ownBody(ctx, body), environment_id: environmentId }
  const environment = await environments.forChange(ctx, environmentId)
  await assertTimes(ctx, values)
  if (environment.status === 'decommissioned')
    throw conflict('status_not_allowed', 'The environment has been decommissioned')
  return insert(ctx, maintenanceWindowsTable, values)
}

/** The start of a running window is fixed; a window that is over cannot change. */
export async function changeMaintenance(
  ctx: OrganizationContext,
  environmentId: number,
  windowId: number,
  body: MaintenanceWindowChange,
): Promise<MaintenanceWindow> {
  const values = ownBody(ctx, body)
  const window = await maintenanceWindows.forChange(ctx, windowId, environmentId)
  if (!allows(maintenanceWindowMoves.cancel, window.status))
    throw conflict('status_not_allowed', `A maintenance window that is ${window.status} cannot be changed`)
  if (window.status === 'running' && values.starts_at !== undefined)
    throw conflict('maintenance_begun', 'The maintenance window has begun already')
  if (values.starts_at !== undefined || values.ends_at !== undefined) await assertTimes(ctx, { ...window, ...values })
  return update(ctx, maintenanceWindowsTable, windowId, values)
}

/** Cancelling a running window also ends its maintenance. */
export async function cancelMaintenance(
  ctx: OrganizationContext,
  environmentId: number,
  windowId: number,
): Promise<MaintenanceWindow> {
  const window = await maintenanceWindows.forChange(ctx, windowId, environmentId)
  const ended = window.status === 'running' ? { ended_at: ctx.now.toISOString() } : {}
  const cancelled = await move(ctx, maintenanceWindowsTable, windowId, maintenanceWindowMoves.cancel, ended)
  await leaveMaintenance(ctx, window, 'The maintenance was cancelled')
  return cancelled
}

type Times = Pick<MaintenanceWindow, 'environment_id' | 'starts_at' | 'ends_at'> & { id?: number }

/** Compared as `!(end > start)`, so that an invalid date such as a leap second is refused too. */
export function maintenanceRules({ starts_at, ends_at }: Partial<Times>, { now }: { now: Date }): Fields {
  if (ends_at === undefined) return {}
  const end = new Date(ends_at)
  if (starts_at !== undefined && !(end > new Date(starts_at))) return { ends_at: 'must be after starts_at' }
  return inFuture('ends_at', ends_at, now)
}

async function assertTimes(ctx: OrganizationContext, window: Times): Promise<void> {
  const wrong = maintenanceRules(window, ctx)
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
  const others = await maintenanceWindows.overlapping(ctx, window)
  if (others.some(({ id }) => id !== window.id))
    throw conflict('maintenance_overlaps', 'It overlaps another maintenance window of this environment')
}

/**
 * For the job: does nothing when the window was postponed or cancelled; a window that is already over also ends at
 * once.
 */
export async function startMaintenance(ctx: OrganizationContext, windowId: number): Promise<void> {
  const window = await maintenanceWindows.forChange(ctx, windowId)
  if (!allows(maintenanceWindowMoves.start, window.status) || new Date(window.starts_at) > ctx.now) return
  const environment = await environments.forChange(ctx, window.environment_id)
  if (environment.status === 'decommissioned') {
    await move(ctx, maintenanceWindowsTable, windowId, maintenanceWindowMoves.cancel)
    return
  }
  const started = { started_at: ctx.now.toISOString() }
  await move(ctx, maintenanceWindowsTable, windowId, maintenanceWindowMoves.start, started)
  await enterMaintenance(ctx, environment, windowId)
  await endMaintenance(ctx, windowId)
}

export async function endMaintenance(ctx: OrganizationContext, windowId: number): Promise<void> {
  const window = await maintenanceWindows.forChange(ctx, windowId)
  if (!allows(maintenanceWindowMoves.end, window.status) || new Date(window.ends_at) > ctx.now) return
  await move(ctx, maintenanceWindowsTable, windowId, maintenanceWindowMoves.end, { ended_at: ctx.now.toISOString() })
  await leaveMaintenance(ctx, window, 'The maintenance has ended')
}

/** For an environment that becomes active during a maintenance window. */
export async function reenterMaintenance(ctx: OrganizationContext, environment: EnvironmentRow): Promise<void> {
  const window = await maintenanceWindows.running(ctx, environment.id)
  if (window) await enterMaintenance(ctx, environment, window.id)
}

/** Does nothing unless the environment is active. */
async function enterMaintenance(
  ctx: OrganizationContext,
  environment: EnvironmentRow,
  windowId: number,
): Promise<void> {
  const { maintain } = environmentMoves
  if (!allows(maintain, environment.status)) return
  await moveEnvironment(ctx, environment, maintain, { note: 'Planned maintenance', windowId })
}

/** Does nothing when somebody else put the environment into maintenance. */
async function leaveMaintenance(ctx: OrganizationContext, window: MaintenanceWindow, note: string): Promise<void> {
  const environment = await environments.forChange(ctx, window.environment_id)
  if (environment.status !== 'maintenance' || environment.maintenance_window_id !== window.id) return
  await moveEnvironment(ctx, environment, environmentMoves.activate, { note })
}
