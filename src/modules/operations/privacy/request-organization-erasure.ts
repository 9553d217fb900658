// Requests of erasures of organizations, what cancels them, and a preview of what they remove.
import { serviceEntry } from '#kernel/data/audit/audit.ts'
import { first, type Settings, type SystemContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import type { ErasureRules, OrganizationErasure, OrganizationErasurePreview } from './organization-erasure.ts'
import { organizationErasures } from './organization-erasures.ts'

const DAY_MS = 86_400_000
const NO_SUCH = 'Organization not found'

export async function requestOrganizationErasure(
  ctx: SystemContext,
  id: number,
  rules: ErasureRules,
): Promise<OrganizationErasure> {
  if (!(await first(ctx, organizationErasures.organization(id)))) throw notFound(NO_SUCH)
  // Under the organization's lock: it is not restored meanwhile.
  await ctx.enter(id)
  await assertMayBeErased(ctx, id, rules)
  const added = await first(ctx, organizationErasures.add(ctx, id, ctx.caller.userId ?? 0))
  if (!added) throw conflict('already_in_progress', 'The erasure has been requested already')
  ctx.write(entry(ctx, 'organization_erasure_requested', added))
  return added
}

export async function cancelOrganizationErasure(ctx: SystemContext, id: number): Promise<OrganizationErasure> {
  if (!(await first(ctx, organizationErasures.organization(id)))) throw notFound(NO_SUCH)
  const cancelled = await cancelScheduledErasure(ctx, id)
  if (!cancelled) throw conflict('status_not_allowed', 'There is no erasure that could be cancelled')
  return cancelled
}

/** If there is one. Who restores an organization cancels it as well: a later deletion needs a request of its own. */
export async function cancelScheduledErasure(
  ctx: SystemContext,
  id: number,
  problem: string | null = null,
): Promise<OrganizationErasure | undefined> {
  const cancelled = await first(ctx, organizationErasures.cancel(id, ctx.now, problem))
  if (cancelled) ctx.write(entry(ctx, 'organization_erasure_cancelled', cancelled))
  return cancelled
}

/** 409 unless the organization is deleted, and nothing of it is open. */
export async function assertMayBeErased(ctx: SystemContext, id: number, rules: ErasureRules): Promise<void> {
  const found = await first(ctx, organizationErasures.organization(id))
  if (!found?.is_deleted) throw conflict('not_deleted', 'The organization is not deleted')
  const obstacles = await ctx.ask(organizationErasures.obstacles(id, rules))
  if (obstacles.length > 0)
    throw conflict('still_open', `Still open: ${obstacles.map(({ name, count }) => `${count} ${name}`).join(', ')}`)
}

export const entry = (
  ctx: SystemContext,
  action: string,
  { id, organization_id }: Pick<OrganizationErasure, 'id' | 'organization_id'>,
) => serviceEntry(ctx, action, { resource: 'organization', id: organization_id, details: { erasure_id: id } })

/** So many years later. */
export function afterFiscalYears(from: Date, years: number): Date {
  const until = new Date(from)
  until.setUTCFullYear(until.getUTCFullYear() + years)
  return until
}

export const previewErasure = (
  { settings, now, rules }: { settings: Settings; now: Date; rules: ErasureRules },
  id: number,
): ReadPlan<OrganizationErasurePreview> =>
  parts(
    [
      organizationErasures.organization(id),
      organizationErasures.latestOf(id),
      organizationErasures.obstacles(id, rules),
      organizationErasures.rows(id, rules),
      organizationErasures.periods(settings),
    ],
    ([[organization], [erasure = null], obstacles, counted, [periods]]) => {
      if (!organization || !periods) throw notFound(NO_SUCH)
      const due = new Date(
        Math.max(now.getTime() + periods.erasure_days * DAY_MS, new Date(erasure?.due_at ?? 0).getTime()),
      )
      const rows = new Map(counted.map(({ name, count }) => [name, count]))
      const of = (name: string) => ({ what: name, rows: rows.get(name) ?? 0 })
      const until = erasure?.kept_until ?? afterFiscalYears(due, periods.fiscal_years).toISOString()
      const eventsUntil = new Date(due.getTime() + periods.events_days * DAY_MS).toISOString()
      return {
        organization_id: id,
        is_deleted: organization.is_deleted,
        erasure,
        obstacles: obstacles.map(({ name, count }) => ({ what: name, count })),
        goes: rules.working.map(of).filter(isThere),
        stays: [
          ...[...rules.fiscal, 'quotes']
            .map(of)
            .map((one) => ({ ...one, legal_basis: 'legal_obligation' as const, until })),
          { ...of('events'), legal_basis: 'contract' as const, until: eventsUntil },
          { ...of('audit_log'), legal_basis: 'exercise_of_rights' as const, until: null },
        ].filter(isThere),
      }
    },
  )

const isThere = ({ rows }: { rows: number }): boolean => rows > 0
