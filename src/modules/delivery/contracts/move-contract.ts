// POST /contracts/{id}/status and /renew, and the steps of the jobs that expire contracts and warn before.
import { dayIn, addDays } from '#kernel/values/time/calendar.ts'
import { insert, move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import { allows } from '#kernel/data/moves.ts'
import { ownBody } from '#http/organization-body.ts'
import { warningDue } from '#modules/messages/notifications/warning-days.ts'
import { zoneOf } from '#ports/ports.ts'
import { settingOf } from '#ports/settings-in-force.ts'
import {
  type Contract,
  contractMoves,
  type ContractRenewal,
  contractsTable,
  type ContractStatusChange,
} from './contract.ts'
import { assertDateOrder } from './draft-contract.ts'
import { remember } from './history.ts'
import { contracts } from './queries.ts'

const todayOf = (ctx: OrganizationContext, { company }: Contract): string => dayIn(ctx.now, zoneOf(ctx, company))

export async function moveContract(
  ctx: OrganizationContext,
  id: number,
  body: ContractStatusChange,
): Promise<Contract> {
  const { status, note = null } = ownBody(ctx, body)
  const contract = await contracts.forChange(ctx, id)
  const act = Object.values(contractMoves).find((one) => one.to === status && allows(one, contract.status))
  if (!act) throw conflict('status_not_allowed', `A contract that is ${contract.status} cannot become ${status}`)
  if (act === contractMoves.renew)
    throw conflict('renewed_by_its_own_endpoint', 'A contract is renewed by POST /contracts/{id}/renew')
  if (act === contractMoves.reinstate || act === contractMoves.suspendAgain)
    throw conflict('contract_expired', 'A contract that has expired is renewed, or paid for again')
  if (act.to === 'active' && contract.end_date !== null && contract.end_date < todayOf(ctx, contract))
    throw conflict('end_date_passed', 'end_date has passed')
  const activated = act === contractMoves.activate ? { activated_at: ctx.now.toISOString() } : {}
  const moved = await move(ctx, contractsTable, id, act, activated)
  await remember(ctx, moved, contract.status, note)
  return moved
}

/** Creates the successor as active; both contracts refer to each other. */
export async function renewContract(ctx: OrganizationContext, id: number, body: ContractRenewal): Promise<Contract> {
  const { note = null, ...given } = ownBody(ctx, body)
  const old = await contracts.forChange(ctx, id)
  if (!allows(contractMoves.renew, old.status))
    throw conflict('status_not_allowed', `A contract that is ${old.status} cannot be renewed`)
  const start = given.start_date ?? (old.end_date === null ? todayOf(ctx, old) : addDays(old.end_date, 1))
  if (start <= old.start_date) throw invalid({ start_date: `must lie after that of the contract, ${old.start_date}` })
  assertDateOrder(start, given.end_date)
  if (given.end_date !== null && given.end_date < todayOf(ctx, old))
    throw invalid({ end_date: 'must not lie in the past' })
  const { company, entitlement_id, entitlement_code, title, terms, notes, notice_days } = old
  const { sla_first_response_minutes, sla_resolution_minutes, business_hours } = old
  const kept = { company, entitlement_id, entitlement_code, title, terms, notes, notice_days }
  const successor = await insert(ctx, contractsTable, {
    ...kept,
    sla_first_response_minutes,
    sla_resolution_minutes,
    business_hours,
    ...given,
    start_date: start,
    status: 'active',
    predecessor_id: old.id,
    activated_at: ctx.now.toISOString(),
  })
  await remember(ctx, successor, null, note)
  const renewed = await move(ctx, contractsTable, id, contractMoves.renew, { successor_id: successor.id })
  await remember(ctx, renewed, old.status, note)
  return successor
}

/** For the job: does nothing when the contract was renewed or cancelled meanwhile. */
export async function expireContract(ctx: OrganizationContext, id: number): Promise<void> {
  const contract = await contracts.forChange(ctx, id)
  const isOver = contract.end_date !== null && contract.end_date < todayOf(ctx, contract)
  if (!isOver || !allows(contractMoves.expire, contract.status)) return
  await remember(ctx, await move(ctx, contractsTable, id, contractMoves.expire), contract.status, null)
}

/** For the job: the update that emits the event also marks it as sent, so each warning is sent once. */
export async function warnOfContract(ctx: OrganizationContext, id: number): Promise<void> {
  const contract = await contracts.forChange(ctx, id)
  const { end_date, start_date, activated_at, notice_date, warned_days, noticed_at } = contract
  if (end_date === null || !allows(contractMoves.expire, contract.status)) return
  const today = todayOf(ctx, contract)
  if (end_date < today) return
  if (notice_date !== null && notice_date <= today && noticed_at === null)
    await update(
      ctx,
      contractsTable,
      id,
      { ...marked({ noticed_at: ctx.now.toISOString() }) },
      contractsTable.events.notice_window,
    )
  const activatedOn = activated_at === null ? '' : dayIn(new Date(activated_at), zoneOf(ctx, contract.company))
  const began = activatedOn > start_date ? activatedOn : start_date
  const warningDays = await settingOf(ctx, 'vendor', 'expiry_warning_days')
  const days = warningDue(warningDays, { today, end: end_date, began, warned: warned_days })
  if (days !== null)
    await update(ctx, contractsTable, id, { ...marked({ warned_days: days }) }, contractsTable.events.ending)
}

// The marks are internal columns, which the row's type does not have.
const marked = (marks: object): object => marks
