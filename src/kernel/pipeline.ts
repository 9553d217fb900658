// One request, one pass (spec 5.3): credential, door, validation, work, commit. Each step refuses only in its turn.
import type { Outside, OrganizationContext, Ports, SystemContext } from './context.ts'
import type { Credential } from './credentials.ts'
import { refused } from './credentials.ts'
import type { Database, Role, Transaction } from './database.ts'
import { type DoorRequest, type Entered, doorStatement, entered, writerLock } from './door.ts'
import { type PageMeta, pageMeta, success } from './envelope.ts'
import { AppError, invalid, notFound } from './errors.ts'
import type { EventConsumers } from './events.ts'
import type { FileAnswer, Multipart, Received } from './files.ts'
import {
  type IdempotentRequest,
  type StoredAnswer,
  claimStatement,
  idempotentRequest,
  judgeClaim,
  readIdempotencyKey,
  storeStatement,
  storedStatement,
} from './idempotency.ts'
import type { Cookie, Input, ReadPlan, Reader, Result as RouteResult, Route } from './route.ts'
import type { Company } from './schema.ts'
import { type Statement, sql } from './sql.ts'
import { administration, staffEntry } from './trail.ts'
import { type Check, coerceParams, coerceQuery, parseJson, refuseIfAny, unstorableStrings } from './validation.ts'
import { type Origin, SYSTEM_CALLER, committed, organizationContext, systemContext } from './work.ts'

export type Engine = {
  database: Database
  consumers: EventConsumers
  ports: Ports
  clock: () => Date
  /** After the commit of a change that wrote jobs. */
  onEnqueued: () => void
}

/** A request as the pipeline sees it, whatever server received it. */
export type PipelineRequest = {
  credential: Credential | null
  organizationHeader: string | string[] | undefined
  companyHeader: string | string[] | undefined
  idempotencyHeader: string | string[] | undefined
  params: Record<string, string>
  query: Record<string, unknown>
  body: Buffer
  /** Null unless the body is multipart/form-data; not read yet. */
  multipart: Multipart | null
  headers: Record<string, string | string[] | undefined>
  requestId: string
  ip: string
  /** Counts the request against the route's own limit, if it has one; throws 429. */
  limit: (body: Record<string, unknown>) => Promise<void>
}

export type Answer = {
  status: number
  body: { success: true; data: unknown; meta: PageMeta | null; message: string | null; errors: null }
  cookie?: Cookie
  /** Instead of the body. */
  file?: FileAnswer
  replayed?: boolean
  /** For the log line. */
  userId: number | null
  organizationId: number | null
}

export type RouteChecks = { params: Check | null; query: Check; body: Check | null }

type Pass = { engine: Engine; route: Route; checks: RouteChecks; request: PipelineRequest; now: Date }

export async function answer(
  engine: Engine,
  route: Route,
  checks: RouteChecks,
  request: PipelineRequest,
): Promise<Answer> {
  const pass: Pass = { engine, route, checks, request, now: engine.clock() }
  if (route.access.kind === 'open' || route.access.kind === 'signed') return answerOpen(pass)
  if (!request.credential) throw refused()
  const isInOrganization = route.access.kind === 'organization' || route.access.kind === 'staff'
  if (!isInOrganization && request.credential.kind === 'api_key') throw refused()
  const door: DoorRequest = {
    credential: request.credential,
    access: route.access,
    organizationId: isInOrganization ? organizationFrom(request.organizationHeader) : null,
    writes: route.method !== 'GET',
    now: pass.now,
  }
  return route.read ? answerRead(pass, door) : answerChange(pass, door)
}

/** Absent, blank, repeated, signed, not decimal or out of range: null, which the door answers with 400. */
function organizationFrom(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string' || !/^[1-9]\d{0,15}$/.test(header)) return null
  const id = Number(header)
  return Number.isSafeInteger(id) ? id : null
}

const COMPANIES: readonly string[] = ['entity_br', 'entity_global']

function companyFrom(header: string | string[] | undefined): Company | null {
  if (header === undefined) return null
  if (typeof header === 'string' && COMPANIES.includes(header)) return header as Company
  throw new AppError('BAD_REQUEST', { message: 'X-Service-Company must be entity_br or entity_global' })
}

const roleOf = (door: DoorRequest): Role =>
  door.access.kind === 'user' || door.access.kind === 'administrator' ? 'titular_system' : 'titular_app'

/** Parsed and validated, or the error that is reported once the door has let the caller in. `fields` are an upload's. */
function readInput(
  { route, checks, request }: Pass,
  fields?: Record<string, unknown>,
): Input<never, never, never> | AppError {
  try {
    const { params, query } = readAddress({ route, checks, request })
    const body = fields
      ? coerceQuery(fields, route.body)
      : route.body || (route.access.kind !== 'signed' && request.body.length > 0)
        ? parseJson(request.body)
        : {}
    refuseIfAny(
      unstorableStrings(query),
      checks.query(query),
      unstorableStrings(body),
      (checks.body ?? emptyBody)(body),
    )
    return { params, query, body, raw: { body: request.body, headers: request.headers } } as Input<never, never, never>
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

function readAddress({ route, checks, request }: Pick<Pass, 'route' | 'checks' | 'request'>) {
  const params = coerceParams(request.params, route.params)
  if (checks.params?.(params)) throw notFound()
  return { params, query: coerceQuery(request.query, route.query) }
}

/** A route without a body schema takes an empty object or nothing. */
function emptyBody(body: unknown): Record<string, string> | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { body: 'must be an object' }
  const keys = Object.keys(body)
  return keys.length === 0 ? null : Object.fromEntries(keys.map((key) => [key, 'unknown field']))
}

function validInput(pass: Pass, fields?: Record<string, unknown>): Input<never, never, never> {
  const input = readInput(pass, fields)
  if (input instanceof AppError) throw input
  companyFrom(pass.request.companyHeader)
  return input
}

async function answerRead(pass: Pass, door: DoorRequest): Promise<Answer> {
  const { engine, route, request, now } = pass
  const input = readInput(pass)
  const isValid = !(input instanceof AppError) && (door.organizationId !== null || roleOf(door) === 'titular_system')
  const userId = door.credential.kind === 'api_key' ? 0 : door.credential.userId
  const company = isValid ? companyOrNull(request.companyHeader) : null
  const plan = isValid ? route.read?.({ org: door.organizationId ?? 0, userId, company, now }, input) : undefined
  const [[doorRow] = [], ...results] = await engine.database.read(roleOf(door), [
    doorStatement(door),
    ...(plan ? statementsOf(plan) : []),
  ])
  const reader = entered(doorRow, door)
  await recordVisit(pass, door, reader)
  const { caller, organizationId } = reader
  if (input instanceof AppError) throw input
  companyFrom(request.companyHeader)
  if (!plan) throw notFound()
  const known = { userId: caller.userId, organizationId }
  if (plan.kind === 'page') {
    const [rows = [], [counted] = [], parent] = results
    if (parent?.length === 0) throw notFound()
    const meta = pageMeta(plan.page, (counted as { total: number }).total)
    return { status: 200, body: success(rows, null, meta), ...known }
  }
  const asker = { ...reader, now, ports: engine.ports }
  const data = shaped(plan, results, asker)
  if (route.file) {
    const file = await route.file.make(outside(pass, reader, door), data)
    return { status: 200, body: success(null), file, ...known }
  }
  if (!route.afterRead?.when(data, asker)) return { status: 200, body: success(data), ...known }
  const { afterRead } = route
  const changed = await changeInside(pass, door, (ctx) => afterRead.run(ctx as OrganizationContext, data))
  return { status: 200, body: success(changed), ...known }
}

function companyOrNull(header: string | string[] | undefined): Company | null {
  return typeof header === 'string' && COMPANIES.includes(header) ? (header as Company) : null
}

const statementsOf = (plan: ReadPlan<unknown>): Statement[] =>
  plan.kind === 'page'
    ? [plan.rows, plan.total, ...(plan.parent ? [plan.parent] : [])]
    : plan.kind === 'row'
      ? [plan.row]
      : plan.statements

function shaped(plan: Exclude<ReadPlan<unknown>, { kind: 'page' }>, results: unknown[][], reader: Reader): unknown {
  const data = plan.kind === 'row' ? results[0]?.[0] : plan.shape(results, reader)
  if (data === undefined) throw notFound()
  return data
}

/** What is refused takes its own record of the visit back with it, so that is written once more. */
async function answerChange(pass: Pass, door: DoorRequest): Promise<Answer> {
  let visitor: Entered | undefined
  const note = (entrance: Entered) => void (visitor = entrance)
  try {
    return await (pass.route.upload ? answerUpload(pass, door, note) : change(pass, door, note))
  } catch (error) {
    if (visitor && error instanceof AppError) await recordVisit(pass, door, visitor)
    throw error
  }
}

type Note = (entrance: Entered) => void

/** What came before the transaction: an upload's file and fields. */
type UploadDone = { seen: unknown; input: Input<never, never, never>; digest: Buffer }

/** The door, the bytes to where they stay, then the change; the bytes go again when it does not happen. */
async function answerUpload(pass: Pass, door: DoorRequest, note: Note): Promise<Answer> {
  const { route, request, engine } = pass
  const { upload } = route
  if (!upload) throw new Error(`${route.path} takes no upload`)
  const reader = await enterOnly(pass, door)
  note(reader)
  const around = outside(pass, reader, door)
  const address = readAddress(pass)
  refuseIfAny(unstorableStrings(address.query), pass.checks.query(address.query))
  companyFrom(request.companyHeader)
  if (!request.multipart)
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the file as multipart/form-data' })
  const received: Received[] = []
  const discard = () => Promise.all(received.map((seen) => upload.discard(around, seen)))
  try {
    const fields = await request.multipart(upload.maxBytes(engine.ports.settings), async (file) => {
      received.push(await upload.receive(around, address as never, file))
    })
    const input = validInput(pass, fields)
    const [seen] = received
    if (!seen) throw invalid({ file: 'is required' })
    const digest = Buffer.from(JSON.stringify([fields, seen.sha256]))
    const answered = await change(pass, door, note, { seen, input, digest })
    if (answered.replayed) await discard()
    return answered
  } catch (error) {
    await discard()
    throw error
  }
}

async function change(pass: Pass, door: DoorRequest, note: Note, received?: UploadDone): Promise<Answer> {
  const { route } = pass
  let seen: unknown = received?.seen
  let input = received?.input
  if (route.before) {
    const reader = await enterOnly(pass, door)
    note(reader)
    input = validInput(pass)
    await pass.request.limit(input.body)
    seen = await route.before(outside(pass, reader, door), input)
  }
  const idempotent = idempotencyOf(pass, door, received?.digest)
  let known: Pick<Answer, 'userId' | 'organizationId'> = { userId: null, organizationId: null }
  let result: RouteResult<unknown> | undefined
  const stored = await changeInside(
    pass,
    door,
    async (ctx, entrance, ask) => {
      note(entrance)
      known = { userId: entrance.caller.userId, organizationId: entrance.organizationId }
      input ??= validInput(pass)
      const outcome = await route.run?.(ctx as never, input, seen)
      if (outcome && 'refusal' in outcome) throw outcome.refusal
      result = outcome
      const body = success(result?.data ?? null, result?.message ?? null)
      const answered = { status: route.status, answer: body }
      if (idempotent) await ask(storeStatement(idempotent, door.organizationId, answered, pass.now))
      return answered
    },
    idempotent,
  )
  return {
    status: stored.status,
    body: stored.answer,
    ...(result?.cookie && { cookie: result.cookie }),
    ...(result === undefined && { replayed: true }),
    ...known,
  }
}

/** Takes an `Idempotency-Key`: a POST of somebody known, whose answer shows no secret. */
export const isRepeatable = ({ access, method, secret, path }: Route): boolean =>
  method === 'POST' && !secret && !path.startsWith('/auth/') && access.kind !== 'open' && access.kind !== 'signed'

function idempotencyOf(
  { route, request }: Pass,
  { credential, organizationId }: DoorRequest,
  digest?: Buffer,
): IdempotentRequest | null {
  if (!isRepeatable(route)) return null
  const key = readIdempotencyKey(request.idempotencyHeader)
  if (key === null) return null
  const who = credential.kind === 'api_key' ? credential.consumerKey : credential.userId
  const path = Object.values(request.params).join('/')
  return idempotentRequest(
    key,
    [credential.kind, who, organizationId, route.method, route.path, path],
    digest ?? request.body,
  )
}

async function enterOnly({ engine }: Pass, door: DoorRequest): Promise<Entered> {
  const [[row] = []] = await engine.database.read(roleOf(door), [doorStatement(door)])
  return entered(row, door)
}

/** Staff in somebody's organization, administrators under `/admin`: reads, and changes that were refused. */
async function recordVisit(pass: Pass, door: DoorRequest, reader: Entered): Promise<void> {
  const { engine, route } = pass
  if (door.access.kind === 'administrator')
    await engine.database.read('titular_system', [administrationOf(pass, reader)])
  if (!reader.isStaffEntry) return
  await engine.database.read('titular_app', [
    doorStatement(door),
    staffEntry(
      { ...originOf(pass, reader), organizationId: door.organizationId ?? 0 },
      `${route.method} ${route.path}`,
    ),
  ])
}

const administrationOf = (pass: Pass, reader: Entered): Statement =>
  administration(originOf(pass, reader), `${pass.route.method} ${pass.route.path}`, pass.request.params)

function originOf({ engine, request, now }: Pass, { caller }: Pick<Entered, 'caller'>): Origin {
  return {
    caller,
    now,
    requestId: request.requestId,
    ip: request.ip,
    consumers: engine.consumers,
    settings: engine.ports.settings,
  }
}

type Inside<Result> = (
  ctx: OrganizationContext | SystemContext,
  entrance: Entered,
  ask: Transaction['ask'],
) => Promise<Result>

/** The door, the claim on the idempotency key, the writer's turn, the work: one transaction. */
function changeInside<Result>(
  pass: Pass,
  door: DoorRequest,
  inside: Inside<Result>,
  idempotent: IdempotentRequest | null = null,
): Promise<Result> {
  const { engine, route, request } = pass
  const role = roleOf(door)
  const isBound = role === 'titular_app'
  const lock = isBound ? [writerLock(door.organizationId)] : []
  const claim = idempotent ? [claimStatement(idempotent), storedStatement(idempotent, pass.now)] : []
  return committed(engine.onEnqueued, (mark) =>
    engine.database.change(role, [doorStatement(door), ...(idempotent ? claim : lock)], async (transaction, opened) => {
      const [[row] = []] = opened
      const entrance = entered(row, door)
      if (idempotent) {
        const replay = judgeClaim(isClaimed(opened[1]?.[0]), opened[2]?.[0], idempotent)
        if (replay) return replay as Result & StoredAnswer
        if (isBound) await transaction.batch(lock)
      }
      const origin = originOf(pass, entrance)
      if (door.access.kind === 'administrator') await transaction.ask(administrationOf(pass, entrance))
      if (!isBound) return inside(systemContext(transaction, origin, mark), entrance, transaction.ask)
      const { organizationId } = door
      const company = companyFrom(request.companyHeader)
      const binding = { organizationId: organizationId ?? 0, role: entrance.role, scopes: entrance.scopes, company }
      const ctx = organizationContext(transaction, origin, binding, mark)
      if (entrance.isStaffEntry) await ctx.ask(staffEntry(ctx, `${route.method} ${route.path}`))
      return inside(ctx, entrance, transaction.ask)
    }),
  )
}

const oneHeader = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

function outside({ engine, now, request }: Pass, reader: Entered | null, door: DoorRequest | null): Outside {
  const role = door ? roleOf(door) : 'titular_system'
  const entrance = door && role === 'titular_app' ? [doorStatement(door)] : []
  return {
    ports: engine.ports,
    now,
    requestId: request.requestId,
    ip: request.ip,
    caller: reader?.caller ?? null,
    organizationId: reader?.organizationId ?? null,
    acceptLanguage: oneHeader(request.headers['accept-language']),
    read: async <Row>(statement: Statement<Row>) =>
      ((await engine.database.read(role, [...entrance, statement])).at(-1) ?? []) as Row[],
  }
}

const isClaimed = (row: unknown): boolean => (row as { claimed: boolean }).claimed

/** No door: the entry points of `/auth`, invite checks, webhooks. */
async function answerOpen(pass: Pass): Promise<Answer> {
  const { engine, route, request } = pass
  const input = readInput(pass)
  const given: unknown = input instanceof AppError ? {} : input.body
  await request.limit((given ?? {}) as Record<string, unknown>)
  if (input instanceof AppError) throw input
  const nobody = { userId: null, organizationId: null }
  if (route.read) {
    const plan = route.read({ org: 0, userId: 0, company: null, now: pass.now }, input)
    const results = await engine.database.read('titular_system', statementsOf(plan))
    if (plan.kind === 'page') throw new Error('an open route has no pages')
    const nothing = { caller: SYSTEM_CALLER, scopes: [], organizationId: null, role: 'pending' }
    const reader = { ...nothing, now: pass.now, ports: engine.ports }
    return { status: 200, body: success(shaped(plan, results, reader)), ...nobody }
  }
  const seen = await route.before?.(outside(pass, null, null), input)
  const outcome = await committed(engine.onEnqueued, (mark) =>
    engine.database.change('titular_system', [sql`select 1`], async (transaction) =>
      route.run?.(systemContext(transaction, originOf(pass, { caller: STRANGER }), mark) as never, input, seen),
    ),
  )
  if (outcome && 'refusal' in outcome) throw outcome.refusal
  const result: RouteResult<unknown> | undefined = outcome
  return {
    status: route.status,
    body: success(result?.data ?? null, result?.message ?? null),
    ...(result?.cookie && { cookie: result.cookie }),
    ...nobody,
  }
}

const STRANGER = { ...SYSTEM_CALLER, name: 'anonymous', staff: false, proven: false }
