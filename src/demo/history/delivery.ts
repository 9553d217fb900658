// What is delivered in a history: environments, licenses on domains, services with their milestones, contracts.
import { createContract } from '#modules/delivery/contracts/draft-contract.ts'
import type { NewContract } from '#modules/delivery/contracts/contract.ts'
import { moveContract } from '#modules/delivery/contracts/move-contract.ts'
import { changeEnvironment } from '#modules/delivery/environments/change-environment.ts'
import type { EnvironmentStatus, NewEnvironment } from '#modules/delivery/environments/environment.ts'
import { createEnvironment } from '#modules/delivery/environments/create-environment.ts'
import { moveEnvironmentTo } from '#modules/delivery/environments/move-environment.ts'
import { planMaintenance } from '#modules/delivery/environments/plan-maintenance.ts'
import { activateLicense } from '#modules/delivery/licenses/activate-license.ts'
import { licenses } from '#modules/delivery/licenses/queries.ts'
import { addMilestone, changeMilestone } from '#modules/delivery/services/milestones.ts'
import { moveService } from '#modules/delivery/services/move-service.ts'
import type { ServiceStatus } from '#modules/delivery/services/service.ts'
import { addDays, dayIn } from '#kernel/values/time/calendar.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import { type Act, type Moment, minutesAfter, momentAfter } from './act.ts'
import { asMember, asStaff } from './callers.ts'
import { hostingOf } from './tickets.ts'

const productionOf = (ctx: OrganizationContext) =>
  one(
    ctx,
    sql<{ id: number }>`select id from environments where organization_id = ${ctx.organizationId} order by id limit 1`,
  )

/** The environment that was sold is there, at its address. */
export async function goLive(
  ctx: OrganizationContext,
  change: Pick<NewEnvironment, 'name' | 'platform' | 'url'>,
): Promise<void> {
  const otto = await asStaff(ctx, 'otto')
  const { id } = await productionOf(ctx)
  await changeEnvironment(otto, id, change)
  await moveEnvironmentTo(otto, id, 'active', 'No ar')
}

export async function moveProduction(ctx: OrganizationContext, status: EnvironmentStatus, note: string): Promise<void> {
  await moveEnvironmentTo(await asStaff(ctx, 'otto'), (await productionOf(ctx)).id, status, note)
}

export async function addStaging(
  ctx: OrganizationContext,
  values: Pick<NewEnvironment, 'name' | 'platform' | 'url'>,
): Promise<void> {
  const { id: production_id } = await productionOf(ctx)
  const entitlement_id = await hostingOf(ctx)
  const kind = { environment_type: 'staging', status: 'active' } as const
  await createEnvironment(await asStaff(ctx, 'otto'), { ...values, ...kind, entitlement_id, production_id })
}

export async function planWindow(
  ctx: OrganizationContext,
  { inHours, hours, note }: { inHours: number; hours: number; note: string },
): Promise<void> {
  const starts_at = minutesAfter(ctx.now, inHours * 60)
  const ends_at = minutesAfter(starts_at, hours * 60)
  const body = { starts_at: starts_at.toISOString(), ends_at: ends_at.toISOString(), note }
  await planMaintenance(await asStaff(ctx, 'otto'), (await productionOf(ctx)).id, body)
}

/** A slot of the first license for each domain. */
export const activation = (since: Date, moment: Moment, by: string, domains: readonly string[]): Act => ({
  at: momentAfter(since, moment),
  run: async (ctx) => {
    const { id } = await one(
      ctx,
      sql<{ id: number }>`select id from licenses where organization_id = ${ctx.organizationId} order by id limit 1`,
    )
    const member = await asMember(ctx, by)
    for (const domain of domains) await activateLicense(member, await licenses.forChange(ctx, id), domain)
  },
})

export async function agree(
  ctx: OrganizationContext,
  { months, ...contract }: Pick<NewContract, 'title' | 'terms'> & { months: number },
): Promise<void> {
  const saulo = await asStaff(ctx, 'saulo')
  const start_date = dayIn(ctx.now, 'UTC')
  const term = { start_date, end_date: addDays(start_date, Math.round(months * 30.44)) }
  const levels = { sla_first_response_minutes: FIRST_RESPONSE, sla_resolution_minutes: RESOLUTION }
  const entitlement_id = await hostingOf(ctx)
  const { id } = await createContract(saulo, { ...contract, ...term, ...levels, entitlement_id })
  await moveContract(saulo, id, { status: 'active' })
}

/** In business hours. */
const FIRST_RESPONSE = { low: 960, normal: 480, high: 120, urgent: 30 }
const RESOLUTION = { low: 4800, normal: 2400, high: 960, urgent: 480 }

type Project = { name: string; steps: readonly (readonly [title: string, dueDays: number, doneDays: number | null])[] }

const serviceOf = (ctx: OrganizationContext, name: string) =>
  one(
    ctx,
    sql<{ id: number }>`select id from services where organization_id = ${ctx.organizationId} and name = ${name}`,
  )

/** A sold service: begins with its milestones, which are done so many days later; null for one that is not. */
export function project(since: Date, began: Moment, { name, steps }: Project): Act[] {
  const [month, day, time] = began
  const acts: Act[] = [
    {
      at: momentAfter(since, began),
      run: async (ctx) => {
        const otto = await asStaff(ctx, 'otto')
        const { id } = await serviceOf(ctx, name)
        await moveService(otto, id, 'in_progress', null)
        for (const [title, due] of steps)
          await addMilestone(otto, id, { title, due_date: addDays(dayIn(ctx.now, 'UTC'), due) })
      },
    },
  ]
  for (const [title, , done] of steps)
    if (done !== null)
      acts.push({
        at: minutesAfter(momentAfter(since, [month, day + done, time]), 5),
        run: async (ctx) => {
          const { id } = await serviceOf(ctx, name)
          const milestone = await one(
            ctx,
            sql<{ id: number }>`select id from milestones
              where organization_id = ${ctx.organizationId} and service_id = ${id} and title = ${title}`,
          )
          await changeMilestone(await asStaff(ctx, 'otto'), id, milestone.id, { done_at: ctx.now.toISOString() })
        },
      })
  return acts
}

export const serviceMove = (since: Date, moment: Moment, name: string, status: ServiceStatus): Act => ({
  at: momentAfter(since, moment),
  run: async (ctx) => moveService(await asStaff(ctx, 'otto'), (await serviceOf(ctx, name)).id, status, null),
})
