// The bare server: `node:http` alone around the same statements that the service runs. No framework, no validation, no limits,
// no log; it caches its callers' verified tokens. The ratio of both shows the cost of what the service adds.
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import { acceptQuote, allocateLineCodes, factsToAccept } from '#modules/sales/quotes/accept-quote.ts'
import { checkPassword, signIn } from '#modules/identity/auth/sessions/sign-in.ts'
import { entitlements } from '#modules/delivery/entitlements/queries.ts'
import { activateLicense, deactivateLicense } from '#modules/delivery/licenses/activate-license.ts'
import { licenses } from '#modules/delivery/licenses/queries.ts'
import { allocateTicketNumber, openTicket } from '#modules/support/tickets/open-ticket.ts'
import type { NewTicket } from '#modules/support/tickets/ticket.ts'
import { handlePaymentEvent } from '#modules/sales/payments/handle-payment-event.ts'
import { storeEvent } from '#modules/messages/inbound/provider-events.ts'
import { all, type IoContext, type OrganizationContext } from '#kernel/data/context.ts'
import type { Credential } from '#kernel/access/credentials.ts'
import { accessStatement } from '#kernel/access/access-check.ts'
import type { AccessRequest } from '#kernel/access/access-request.ts'
import { accessDecision } from '#kernel/access/access-decision.ts'
import { pageMeta, success } from '#http/envelope.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { type OrganizationAccess, org, type Scope } from '#kernel/values/permissions.ts'
import type { ReadPlan } from '#http/route.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'
import { type Origin, SYSTEM_CALLER, organizationContext, systemContext } from '#kernel/access/transactions.ts'
import { consumersWith, routes } from '../src/modules.ts'
import type { Service } from '../src/commands/compose.ts'

const API = '/api/v1'
const BY_CODE = `${API}/entitlements/code/`
const PAYMENTS = `${API}/webhooks/payment/entity_br`
const QUOTES = `${API}/quotes/`
const FEED = '/events'
const LINEAGE = /\/entitlements\/(\d+)\/lineage$/
const ACTIVATION = /\/licenses\/(\d+)\/(activate|deactivate)$/

type Bare = { service: Service; origin: Omit<Origin, 'now'>; callers: Map<string, Credential> }

export function createBareServer(service: Service): Server {
  const shared = { caller: SYSTEM_CALLER, requestId: 'bench', ip: '127.0.0.1' }
  const { ports, store } = service
  const origin = { ...shared, consumers: consumersWith(ports), settings: ports.settings, store: store() }
  const bare: Bare = { service, origin, callers: new Map() }
  return createServer((request, response) => {
    answer(bare, request).then(
      (body) => send(response, 200, body),
      (error: unknown) => send(response, 500, { error: String(error) }),
    )
  })
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) }
  response.writeHead(status, headers).end(text)
}

async function answer(bare: Bare, request: IncomingMessage): Promise<unknown> {
  const { url = '' } = request
  if (url === `${API}/entitlements`) return list(bare, request)
  if (url.startsWith(BY_CODE)) return byCode(bare, request, url.slice(BY_CODE.length))
  if (url === `${API}/auth/login`) return login(bare, request)
  if (url.startsWith(QUOTES)) return accept(bare, request, Number.parseInt(url.slice(QUOTES.length), 10))
  if (url === `${API}/tickets`) return ticket(bare, request)
  if (url === PAYMENTS) return paymentEvent(bare, request)
  const [, entitlementId] = LINEAGE.exec(url) ?? []
  if (entitlementId !== undefined) {
    const input = { params: { id: Number(entitlementId) } }
    return inParts(bare, request, { path: '/entitlements/{id}/lineage', scope: 'entitlements', input })
  }
  if (url.endsWith(FEED))
    return inParts(bare, request, { path: '/events', scope: 'organization', input: { query: {} } })
  const [, licenseId, act] = ACTIVATION.exec(url) ?? []
  if (licenseId !== undefined) return activation(bare, request, Number(licenseId), act === 'activate')
  throw new Error(`no such path: ${url}`)
}

async function list(bare: Bare, request: IncomingMessage): Promise<unknown> {
  const access = await accessOf(bare, request, org('entitlements'))
  const plan: ReadPlan<unknown> = entitlements.page(access.organizationId, {})
  if (plan.kind !== 'page') throw new Error('not a page')
  const statements = [accessStatement(access), plan.rows, plan.total]
  const [[row] = [], rows = [], counted = []] = await bare.service.database.read('titular_app', statements)
  accessDecision(row, access)
  return success(rows, null, pageMeta(plan.page, totalOf(counted)))
}

async function byCode(bare: Bare, request: IncomingMessage, code: string): Promise<unknown> {
  const access = await accessOf(bare, request, org('entitlements'))
  const plan: ReadPlan<unknown> = entitlements.byCode(access.organizationId, code)
  if (plan.kind !== 'row') throw new Error('not a row')
  const [[row] = [], found = []] = await bare.service.database.read('titular_app', [accessStatement(access), plan.row])
  accessDecision(row, access)
  if (found.length === 0) throw new Error('not found')
  return success(found[0])
}

/** A read of several statements, by the route's own plan. */
async function inParts(bare: Bare, request: IncomingMessage, { path, scope, input }: PartsRead): Promise<unknown> {
  const { database, ports } = bare.service
  const access = await accessOf(bare, request, org(scope))
  const read = routes.find((one) => one.method === 'GET' && one.path === path)?.read
  if (!read) throw new Error(`no such read: ${path}`)
  // A route in the table does not have the types of its own input.
  const plan: ReadPlan<unknown> = Reflect.apply(read, undefined, [{ org: access.organizationId }, input])
  if (plan.kind !== 'parts') throw new Error('not in parts')
  const [[row] = [], ...parts] = await database.read('titular_app', [accessStatement(access), ...plan.statements])
  return success(
    plan.shape(parts, {
      ...accessDecision(row, access),
      now: access.now,
      realNow: access.now,
      ports,
      acceptLanguage: undefined,
    }),
  )
}
type PartsRead = { path: string; scope: Scope; input: object }

async function accept(bare: Bare, request: IncomingMessage, id: number): Promise<unknown> {
  const access = await accessOf(bare, request, org('quotes'))
  const codes = await allocateLineCodes(await ioOf(bare, access), id)
  return changed(bare, access, async (ctx) => {
    const { quote, orderId } = await acceptQuote(ctx, id, {
      facts: await all(ctx, factsToAccept(ctx.organizationId, id)),
      body: {},
      codes,
    })
    return success({ quote_id: quote.id, status: quote.status, order_id: orderId }, 'Quote accepted')
  })
}

async function activation(bare: Bare, request: IncomingMessage, id: number, activates: boolean): Promise<unknown> {
  const access = await accessOf(bare, request, org('licenses'))
  const { domain }: { domain: string } = JSON.parse(await textOf(request))
  return changed(bare, access, async (ctx) => {
    const { data } = await (activates ? activateLicense : deactivateLicense)(
      ctx,
      await licenses.forChange(ctx, id),
      domain,
    )
    return success(data, activates ? 'Domain activated' : 'Domain deactivated')
  })
}

/** As in the service: the access check, then the number in its own transaction, then the ticket. */
async function ticket(bare: Bare, request: IncomingMessage): Promise<unknown> {
  const access = await accessOf(bare, request, org('entitlements'))
  const body: NewTicket = JSON.parse(await textOf(request))
  const number = await allocateTicketNumber(await ioOf(bare, access))
  return changed(bare, access, async (ctx) => success(await openTicket(ctx, body, { number }), 'Ticket opened'))
}

/** The signature, then the event and its job in one transaction. */
async function paymentEvent({ service, origin }: Bare, request: IncomingMessage): Promise<unknown> {
  const body = Buffer.from(await textOf(request))
  const now = new Date()
  const payments = service.ports.payments.entity_br
  const event = payments?.readEvent(request.headers, body, now)
  if (!payments || !event || event.kind === 'unsigned') throw new Error('no payment provider, or not signed')
  return service.database.change('titular_system', [], async (transaction) => {
    const ctx = systemContext(transaction, { ...origin, now }, () => {})
    const [stored] = await ctx.ask(
      storeEvent({ provider: payments.provider, company: 'entity_br' }, event, { body, now }),
    )
    if (stored) await enqueue(ctx, handlePaymentEvent, { provider_event_id: stored.id })
    return success(null, 'Event stored')
  })
}

/** For the step before a change: the access check alone, then reads after it. */
async function ioOf({ service, origin }: Bare, access: TenantAccess): Promise<IoContext> {
  const { database, ports } = service
  const [[row] = []] = await database.read('titular_app', [accessStatement(access)])
  const { caller, organizationId } = accessDecision(row, access)
  const io: IoContext = {
    ports,
    now: access.now,
    realNow: access.now,
    requestId: origin.requestId,
    ip: origin.ip,
    caller,
    organizationId,
    acceptLanguage: undefined,
    store: service.store(),
    read: async <Row>(statement: Statement<Row>) => {
      // A batch has no types for its rows; the statement has.
      const trip = ['titular_app', [accessStatement(access), statement]]
      const [, rows]: [unknown, Row[]] = await Reflect.apply(database.read, database, trip)
      return rows
    },
    within: () => io,
  }
  return io
}

async function changed(
  { service, origin }: Bare,
  access: TenantAccess,
  run: (ctx: OrganizationContext) => Promise<unknown>,
): Promise<unknown> {
  const opening = [accessStatement(access), ...service.store().locking(access.organizationId)]
  return service.database.change('titular_app', opening, async (transaction, opened) => {
    const [[row] = [], [locked] = []] = opened
    const { caller, role, scopes } = accessDecision(row, access)
    const binding = { organizationId: access.organizationId, role, scopes, company: null, locked }
    return run(organizationContext(transaction, { ...origin, caller, now: access.now }, binding, () => {}))
  })
}

async function login({ service, origin }: Bare, request: IncomingMessage): Promise<unknown> {
  const now = new Date()
  const { database, ports } = service
  const body: { email: string; password: string } = JSON.parse(await textOf(request))
  const io: IoContext = {
    ports,
    now,
    realNow: now,
    requestId: origin.requestId,
    ip: origin.ip,
    caller: null,
    organizationId: null,
    acceptLanguage: undefined,
    store: service.store(),
    read: (statement) => service.transactions.read(null, statement),
    within: () => io,
  }
  const checked = await checkPassword(io, body)
  return database.change('titular_system', [sql`select 1`], async (transaction) =>
    success(
      await signIn(
        systemContext(transaction, { ...origin, now }, () => {}),
        checked,
        request.headers,
      ),
    ),
  )
}

type TenantAccess = AccessRequest & { organizationId: number }

async function accessOf(bare: Bare, request: IncomingMessage, required: OrganizationAccess): Promise<TenantAccess> {
  const now = new Date()
  const token = request.headers.authorization ?? ''
  const credential = bare.callers.get(token) ?? (await verifiedCredential(bare, token, now))
  const organizationId = Number(request.headers['x-service-organization'])
  return {
    credential,
    access: required,
    organizationId,
    writes: request.method !== 'GET',
    needsEntry: sql`false`,
    staffMfa: false,
    hiddenScopes: sql`'{}'::text[]`,
    needsPerson: false,
    ip: null,
    now,
  }
}

async function verifiedCredential({ service, callers }: Bare, authorization: string, now: Date): Promise<Credential> {
  const verified = await service.ports.accessTokens.verify(authorization.slice('Bearer '.length), now)
  if (!verified.isValid) throw new Error(verified.reason)
  if (verified.access.of !== 'session') throw new Error('the token of a person is needed')
  const { userId, sessionId } = verified.access
  const credential: Credential = { kind: 'bearer', userId, sessionId, mayBeStaff: false }
  callers.set(authorization, credential)
  return credential
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function totalOf([counted]: unknown[]): number {
  if (typeof counted !== 'object' || counted === null || !('total' in counted)) throw new Error('no total')
  return Number(counted.total)
}
