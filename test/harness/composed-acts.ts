// Checks what every request of every test did: an act needs the permissions of everything that it does. A request may write a
// record of other scopes than its route asks for only where the record's table says what that needs (`needs`, judged by the
// kernel), or where FOLLOWS has the reason.
import type { FastifyInstance } from 'fastify'
import { AREAS, routes } from '../../src/modules.ts'
import { needsOf, staffScopesOf } from '#kernel/values/permissions.ts'
import type { PublishedResource } from '#kernel/data/published.ts'
import type { Route } from '#http/route.ts'
import type { TestDatabase } from './database.ts'

/** By event, or by resource: what is the consequence of another record's change, after acts of which scopes, and why. */
export const FOLLOWS: Readonly<Record<string, { after: readonly string[]; why: string }>> = {
  license: { after: ['entitlements', 'orders', 'finances'], why: 'a license begins and ends with its entitlement' },
  affiliate: { after: ['entitlements'], why: 'the account of an affiliate follows its entitlement' },
  'ticket/created': { after: ['entitlements'], why: 'the specification: who sees what was bought may ask about it' },
  'ticket/team_changed': { after: ['entitlements'], why: 'staff alone, who need tickets, give a new ticket a team' },
  'order/created': { after: ['quotes'], why: 'the specification: to accept a quote is to order' },
  'invoice/created': { after: ['quotes'], why: 'the specification: an accepted quote is billed' },
  'order/processing': { after: ['finances'], why: 'an order follows its payment' },
  'order/completed': { after: ['finances'], why: 'an order follows its payment' },
  'order/refunded': { after: ['finances'], why: 'an order follows its refund' },
  'order/updated': { after: ['finances'], why: 'an order that is delivered already notes its payment' },
  'quote/paid': { after: ['finances', 'orders'], why: 'a quote follows its payment, or the trial of its order' },
  'quote/cancelled': { after: ['orders', 'finances'], why: 'a quote follows its order' },
  'invoice/updated': {
    after: ['orders', 'quotes'],
    why: 'a refund is noted at its invoice, and needs finances itself',
  },
  'entitlement/cancelled': { after: ['orders', 'finances'], why: 'what was not paid, or paid back, is taken back' },
  'entitlement/expired': { after: ['orders', 'finances'], why: 'what was not paid, or paid back, is taken back' },
  environment: { after: ['orders', 'finances'], why: 'an environment begins and ends with its entitlement' },
  'entitlement/updated': { after: ['orders', 'finances'], why: 'what was not paid, or paid back, is taken back' },
  'entitlement/created': { after: ['finances'], why: 'an affiliate’s account is an entitlement' },
  'refund/approved': { after: ['finances'], why: 'whoever decides about a refund answers for the money' },
  'refund/rejected': { after: ['finances'], why: 'whoever decides about a refund answers for the money' },
  'refund/succeeded': { after: ['finances'], why: 'whoever decides about a refund answers for the money' },
  'refund/failed': { after: ['finances'], why: 'whoever decides about a refund answers for the money' },
  'refund/updated': { after: ['finances'], why: 'whoever decides about a refund answers for the money' },
  'organization/updated': {
    after: ['jobs', 'finances'],
    why: 'a test clock and a hold on reminders stand in the record of their organization',
  },
  'organization/staff_entry': { after: [], why: 'each request of staff in an organization leaves one' },
}

const published = new Map(AREAS.flatMap((area) => area.published).map((one) => [one.table.resource, one]))
const byUrl = new Map(
  routes.map((route) => [`${route.method} /api/v1${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`, route]),
)

type Act = { request_id: string; resource: string; action: string }

/** To be called before the app is ready; the answer checks what was written since it was called last. */
export function watchActs(app: FastifyInstance): (database: TestDatabase) => Promise<void> {
  const requests = new Map<string, Route>()
  app.addHook('onResponse', async (request, reply) => {
    const route = byUrl.get(`${request.method} ${request.routeOptions.url ?? ''}`)
    if (route && reply.statusCode < 400 && route.method !== 'GET') requests.set(request.id, route)
  })
  return async (database) => {
    const acts = await database.query<Act>(
      `select distinct request_id, resource, action from audit_log where actor_kind <> 'system' and request_id = any($1)`,
      [[...requests.keys()]],
    )
    const written = new Map(requests)
    requests.clear()
    const found = new Set(
      acts.flatMap(({ request_id, ...act }) => {
        const route = written.get(request_id)
        return (route && problemWith(route, act)) ?? []
      }),
    )
    if (found.size > 0) throw new Error(`Acts that need more than their route asks for:\n${[...found].join('\n')}`)
  }
}

/** A route without scopes is about the caller, and one of operations has those of each. */
export function problemWith(route: Route, { resource, action }: Omit<Act, 'request_id'>): string | null {
  const record = published.get(resource)
  const event = `${resource}/${action}`
  const known = FOLLOWS[event] ?? FOLLOWS[resource]
  if (!record || route.features.bulk || `titular/${event}` in record.table.needs || known?.after.length === 0)
    return null
  const ofStaff = staffScopesOf(route.access)
  const asks = [needsOf(route.access).scopes, ofStaff === 'none' ? [] : (ofStaff ?? [])]
  const isMissing = asks.some((scopes) => scopes.length > 0 && !covers(record, scopes))
  if (!isMissing || asks.flat().some((scope) => known?.after.includes(scope))) return null
  return `${route.method} ${route.path} writes ${event}, which is of the scopes ${record.scopes.join(' and ')}`
}

const covers = ({ scopes }: PublishedResource, asked: readonly string[]): boolean =>
  scopes.every((scope) => asked.includes(scope))
