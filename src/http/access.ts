// The access check of a request (spec 5.3, 5.4): what it is asked, what it decides, and what the audit log says of it.
import { type Credential, unauthenticated } from '#kernel/access/credentials.ts'
import { accessStatement } from '#kernel/access/access-check.ts'
import { type AccessDecision, accessDecision } from '#kernel/access/access-decision.ts'
import type { AccessRequest } from '#kernel/access/access-request.ts'
import { keyOrganizations } from '#kernel/access/callers.ts'
import { administration, staffEntry } from '#kernel/data/audit/audit.ts'
import type { Role } from '#kernel/database/database.ts'
import type { Transaction } from '#kernel/database/transaction.ts'
import { plainAddress } from '#kernel/network/addresses.ts'
import { isInOrganization } from '#kernel/values/permissions.ts'
import type { Statement } from '#kernel/values/sql.ts'
import { hiddenScopesIn, isSetting } from '#ports/settings-in-force.ts'
import { authenticatedSince, needsPerson } from '#http/features/step-up.ts'
import { namedOrganization } from './named-organization.ts'
import { originOf } from './operation-contexts.ts'
import type { AuthenticatedContext, RequestContext } from './request-context.ts'

/** 401 for an API key where none counts. */
export async function accessRequestOf(context: RequestContext, credential: Credential): Promise<AccessRequest> {
  const { engine, route, request, now } = context
  const { settings } = engine.ports
  const { staffMfa, stepUpMinutes } = settings
  const isInside = isInOrganization(route.access)
  const isKey = credential.kind === 'api_key'
  if (isKey && !isInside && !(credential.of === 'vendor' && route.access.kind === 'vendor'))
    throw unauthenticated('No API key may do this: sign in as a person, or use a key inside an organization')
  return {
    credential,
    access: route.access,
    ...(isInside ? await namedOrganization(context, credential) : { organizationId: null }),
    writes: route.method !== 'GET',
    needsEntry: isSetting(settings, 'staff_entry', 'reason'),
    needsReason: mayNeedReason(context, credential) ? isSetting(settings, 'reasons', 'required') : undefined,
    staffMfa: staffMfa === 'required',
    hiddenScopes: hiddenScopesIn(settings),
    authenticatedSince: authenticatedSince(route, stepUpMinutes, now),
    needsPerson: needsPerson(route),
    ip: isKey ? plainAddress(request.ip) : null,
    reach: await keyReach(context, credential),
    now,
  }
}

const mayNeedReason = ({ route, request }: RequestContext, credential: Credential): boolean =>
  request.headers['x-reason'] === undefined &&
  (route.features.stepUp !== undefined ||
    (route.method !== 'GET' && (credential.kind !== 'bearer' || credential.mayBeStaff)))

/**
 * What a vendor's key for some organizations reaches of the routes that are bound to none
 * (docs/interface/identity.md): lists that are limited to its organizations, and paths that name one of them.
 * Undefined for all others.
 */
export async function keyReach(
  { engine, route, request, now }: RequestContext,
  credential: Credential,
): Promise<AccessRequest['reach']> {
  if (credential.kind !== 'api_key' || credential.of !== 'vendor' || route.access.kind !== 'vendor') return undefined
  const [[key] = []] = await engine.database.read('titular_system', [keyOrganizations(credential, now)])
  // A key that has ended is for none: it may be prolonged before the access check asks for it again.
  const { organization_ids: organizations } = (key ?? { organization_ids: [] }) as { organization_ids: number[] | null }
  const isOfOne = /^\/admin\/organizations\/\{id\}(\/|$)/.test(route.path)
  if (organizations === null) return { organizations, refusal: null }
  if (isOfOne)
    return { organizations, refusal: organizations.includes(Number(request.params['id'])) ? null : 'unknown' }
  return { organizations, refusal: route.features.limitsOrganizations ? null : 'every_organization' }
}

export const roleOf = ({ access }: AccessRequest): Role => (isInOrganization(access) ? 'titular_app' : 'titular_system')

export const callerKeyOf = (credential: Credential): string =>
  credential.kind === 'api_key' ? credential.consumerKey : `user ${credential.userId}`

/**
 * Sends the access check with further statements, and again in the order of refusals when nobody was admitted. Keeps
 * the decision in the context; throws the refusal.
 */
export async function withAccess(
  context: AuthenticatedContext,
  send: (access: Statement) => Promise<unknown[][]>,
): Promise<{ decision: AccessDecision; results: unknown[][] }> {
  const [[row] = [], ...results] = await send(accessStatement(context.accessRequest))
  if (row !== undefined) return { decision: admit(context, row), results }
  context.accessRequest = { ...context.accessRequest, isInOrder: true }
  const [[decided] = [], ...answered] = await send(accessStatement(context.accessRequest))
  return { decision: admit(context, decided), results: answered }
}

/** Reads the row of the access check and keeps the decision in the context; throws the refusal. */
export function admit(context: AuthenticatedContext, row: unknown): AccessDecision {
  const decision = accessDecision(row, context.accessRequest)
  const { caller, key, organizationId } = decision
  const { lastUses } = context.engine
  context.request.prove(true)
  if (key) lastUses.ofKey(key, key.of === 'organization' ? organizationId : null, context.now)
  else lastUses.ofSession(caller.sessionId, context.now)
  return (context.decision = decision)
}

/** With the rows of further statements. */
export const checkAccess = (context: AuthenticatedContext, statements: readonly Statement[] = []) =>
  withAccess(context, (access) => context.engine.database.read(roleOf(context.accessRequest), [access, ...statements]))

/** Audits staff in an organization, and under `/admin`. */
export async function auditStaffAccess(context: AuthenticatedContext, decision: AccessDecision): Promise<void> {
  const { accessRequest, engine } = context
  if (accessRequest.access.kind === 'vendor')
    await engine.database.read('titular_system', [administrationEntry(context, decision)])
  if (decision.isStaffEntry)
    await engine.database.read('titular_app', [accessStatement(accessRequest), staffEntryOf(context, decision)])
}

/** The same within the transaction of a change. */
export function auditStaffAccessWithin(
  { write }: Transaction,
  context: AuthenticatedContext,
  decision: AccessDecision,
): void {
  if (context.accessRequest.access.kind === 'vendor') write(administrationEntry(context, decision))
  if (decision.isStaffEntry) write(staffEntryOf(context, decision))
}

function staffEntryOf(context: AuthenticatedContext, decision: AccessDecision): Statement {
  const { accessRequest, route } = context
  const { now, ...origin } = originOf(context, decision)
  const actor = { ...origin, now: decision.testClock ?? now, organizationId: accessRequest.organizationId ?? 0 }
  return staffEntry(actor, `${route.method} ${route.path}`, decision.entryReason ?? origin.reason ?? null)
}

const administrationEntry = (context: AuthenticatedContext, decision: AccessDecision): Statement =>
  administration(originOf(context, decision), `${context.route.method} ${context.route.path}`, context.request.params)
