// Creates an environment, for staff or for a bought entitlement, and requests its provisioning if a system is
// configured.
import { together } from '#kernel/values/validation/problems.ts'
import { insert } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import { addToHistory } from '#kernel/data/audit/history.ts'
import { ownBody } from '#http/organization-body.ts'
import { environmentHistory, type EnvironmentRow, environmentsTable, type NewEnvironment } from './environment.ts'
import { askForProvisioning } from './ask-for-provisioning.ts'
import { assertPair } from './environment-pairs.ts'
import { environments } from './queries.ts'

export async function createEnvironment(ctx: OrganizationContext, body: NewEnvironment): Promise<EnvironmentRow> {
  const values = ownBody(ctx, body)
  const [entitlement] = await together(
    () => hostingOf(ctx, values.entitlement_id),
    () => assertPair(ctx, { ...values, production_id: values.production_id ?? null }),
  )
  if (entitlement.status !== 'active')
    throw conflict('entitlement_not_active', `The entitlement is ${entitlement.status}`)
  return openEnvironment(ctx, { status: 'provisioning', ...values, entitlement_code: entitlement.code })
}

async function hostingOf(ctx: OrganizationContext, id: number): Promise<{ code: string; status: string }> {
  const entitlement = await environments.entitlement(ctx, id)
  if (!entitlement) throw invalid({ entitlement_id: 'names no entitlement of this organization' })
  if (entitlement.class !== 'ENV') throw invalid({ entitlement_id: 'must be an entitlement of the class ENV' })
  return entitlement
}

type EnvironmentValues = Omit<NewEnvironment, 'organization_id'> & {
  entitlement_code: string
  status: 'provisioning' | 'active'
}

export async function openEnvironment(ctx: OrganizationContext, values: EnvironmentValues): Promise<EnvironmentRow> {
  const isAsked = values.status === 'provisioning' && ctx.settings.provisioning !== 'none'
  const queued = isAsked ? { provisioning_state: 'queued' as const, provisioning_attempt: 1 } : {}
  const environment = await insert(ctx, environmentsTable, { ...values, ...queued })
  await addToHistory(ctx, environmentHistory, environment.id, { from: null, to: environment.status, note: null })
  if (isAsked) await askForProvisioning(ctx, environment)
  return environment
}
