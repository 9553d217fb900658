// Moves an environment, writes its history, and asks the provisioning system to follow.
import { move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { addToHistory } from '#kernel/data/audit/history.ts'
import { allows } from '#kernel/data/moves.ts'
import type { MoveOf } from '#kernel/data/table.ts'
import { askFor } from './ask-for-provisioning.ts'
import {
  environmentHistory,
  environmentMoves,
  type EnvironmentRow,
  type EnvironmentStatus,
  environmentsTable,
} from './environment.ts'
import { environments } from './queries.ts'

type How = {
  note: string | null
  /** Suspended together with its entitlement. */
  along?: boolean
  /** The maintenance window that causes the move. */
  windowId?: number
}

export async function moveEnvironment(
  ctx: OrganizationContext,
  { id, status }: Pick<EnvironmentRow, 'id' | 'status'>,
  act: MoveOf<typeof environmentsTable>,
  { note, along = false, windowId }: How,
): Promise<EnvironmentRow> {
  const marks = { suspended_with_entitlement: along, maintenance_window_id: windowId ?? null }
  const moved = await move(ctx, environmentsTable, id, act, marks)
  await addToHistory(ctx, environmentHistory, id, { from: status, to: act.to, note })
  const asked = ASKED.find((name) => name === act.name)
  return asked ? askFor(ctx, moved, asked) : moved
}

/** The moves that the provisioning system is asked to follow. */
const ASKED = ['suspend', 'resume', 'decommission'] as const

const NEEDS_ENTITLEMENT: readonly EnvironmentStatus[] = ['active', 'maintenance']

/** A move by staff; 409 when the status does not allow it, or when it needs an active entitlement. */
export async function moveEnvironmentTo(
  ctx: OrganizationContext,
  id: number,
  status: EnvironmentStatus,
  note: string | null,
): Promise<EnvironmentRow> {
  const environment = await environments.forChange(ctx, id)
  const act = Object.values(environmentMoves).find((one) => one.to === status && allows(one, environment.status))
  if (!act) throw conflict('status_not_allowed', `An environment that is ${environment.status} cannot become ${status}`)
  if (NEEDS_ENTITLEMENT.includes(status)) await requireActiveEntitlement(ctx, environment)
  return moveEnvironment(ctx, environment, act, { note })
}

export async function requireActiveEntitlement(
  ctx: OrganizationContext,
  { entitlement_id }: Pick<EnvironmentRow, 'entitlement_id'>,
): Promise<void> {
  const entitlement = await environments.entitlement(ctx, entitlement_id)
  if (entitlement?.status !== 'active')
    throw conflict('entitlement_not_active', `The environment's entitlement is ${entitlement?.status ?? 'missing'}`)
}
