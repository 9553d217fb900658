// An endpoint as data: method, path, access, input, answer, error codes and operation.
import { type Static, type TSchema, Type } from 'typebox'
import type { OrganizationContext, IoContext, SystemContext } from '#kernel/data/context.ts'
import type { AppError, ErrorCode } from '#kernel/values/errors.ts'
import type { FileMaker, Upload } from '#http/features/file-bodies.ts'
import { type Access, assertStaffNeeds, type OrganizationAccess, isInOrganization } from '#kernel/values/permissions.ts'
import { withDryRun } from '#kernel/jobs/preview.ts'
import { withExpand } from '#http/features/expand.ts'
import type { RecordKind } from '#kernel/data/record-kind.ts'
import { withFields } from '#http/features/sparse-fields.ts'
import type { Statement } from '#kernel/values/sql.ts'
import type { CallerContext, ReadContext } from '#kernel/data/route-contexts.ts'
import type { Rules } from '#kernel/values/validation/validation.ts'
import type { ReadPlan } from '#kernel/data/lists/read-plans.ts'

export type { CallerContext, ReadContext } from '#kernel/data/route-contexts.ts'
export type { RuleContext, Rules } from '#kernel/values/validation/validation.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type ContextOf<Kind extends Access> = Kind extends OrganizationAccess ? OrganizationContext : SystemContext

export type Input<Params, Query, Body> = {
  params: Params
  query: Query
  body: Body
  /** Raw bytes and headers, for signed bodies. */
  raw: { body: Buffer; headers: Record<string, string | string[] | undefined> }
}

/** By its name without TLS (cookie-name.ts). */
export type Cookie = {
  name: 'service_session' | 'service_device' | 'service_sign_on'
  value: string
  maxAgeSeconds: number
}

export type Result<Data> = {
  data: Data
  message?: string | null
  cookies?: Cookie[]
}

/** For open routes: first the commit, then the error's answer (a refresh token that is used twice ends its session). */
export type Refusal = { refusal: AppError }

/** The rate limit of a route that has no credentials, or that could be used for guessing. */
export type Limit = {
  policy: 'credentials' | 'public' | 'reports'
  /** The e-mail address whose account the body could guess at. */
  account?: (body: Record<string, unknown>) => string | undefined
  /** The key of the body whose uses are counted too. */
  key?: (body: Record<string, unknown>) => string | undefined
  /** When present, only such bodies count here, and all bodies count as requests of the caller. */
  when?: (body: Record<string, unknown>) => boolean
}

type StepUp = true | ((body: Record<string, unknown>) => boolean)

type Definition<Kind extends Access, Params, Query, Body, Data extends TSchema, Prepared> = {
  method: Method
  path: string
  access: Kind
  /** One line: the summary in the OpenAPI document. */
  purpose: string
  /** Only where the path does not give a good name (operation-id.ts). */
  operationId?: string
  /** The area under which the OpenAPI document lists it, when that is not the declaring one. */
  tag?: string
  /** Further paragraphs for the OpenAPI document. */
  description?: string
  params?: Params
  query?: Query
  body?: Body
  /** Rules that the schema cannot express; their errors are answered together with those of the schema. */
  rules?: Rules<Value<Body>>
  /** An example of the body for the OpenAPI document. */
  example?: unknown
  data?: Data
  page?: Data
  status?: 200 | 201 | 202
  fails?: readonly ErrorCode[]
  limit?: Limit
  /** The answer contains a secret: never stored, never cached. */
  secret?: boolean
  /**
   * Takes `?dry_run=true` (dry-run.ts). Only where all that `run` does is in its transaction, and `before` asks nobody
   * to do anything. In organizations only.
   */
  dryRun?: true
  /** What its records are, for `expand`. Records that belong to organizations only. */
  record?: RecordKind
  /** Instead of `read` and `run`: its operations are requests of other routes (bulk.ts). In organizations only. */
  bulk?: true
  /** A dangerous act: needs a recent proof of who the caller is (STEP_UP_MINUTES). A function: with such bodies. */
  stepUp?: StepUp
  /** No API key of the vendor may do it; so it is with what needs a recent proof. */
  person?: true
  /** Open to a vendor's key for some organizations: `read` limits what it gives to its context's `organizations`. */
  limitsOrganizations?: true
  /** A replica may answer (docs/operations.md): nothing that somebody reads to see their own change. */
  mayBeStale?: true
  /** Takes the session cookie without a nonce (GET /auth/session only). */
  cookieAlone?: boolean
  read?: (context: ReadContext, input: Input<Value<Params>, Value<Query>, Value<Body>>) => ReadPlan<Static<Data>>
  /** With the query parameters `wait` and `after`: which event the answer waits for; null when it need not wait. */
  longPoll?: { nextOf: (data: Static<Data>) => number | null }
  /** A change that follows a read, when the row that was read needs it. */
  afterRead?: {
    when: (data: Static<Data>, callerContext: CallerContext) => boolean
    run: (ctx: OrganizationContext, data: Static<Data>) => Promise<Static<Data>>
  }
  /** The field of the answer that is only the time of the answer: its `ETag` is made without it. */
  moment?: keyof Static<Data> & string
  /** Makes the answer a file from the data of the read. Reads only. */
  file?: FileMaker<Static<Data>>
  /** The body is a file with fields; `run` gets the result of `receive` as `prepared`. Excludes `before`. */
  upload?: Upload<Value<Params>, Value<Query>, Prepared>
  /** Runs after an access check of its own, outside of transactions; `run` gets its result as `prepared`. */
  before?: (io: IoContext, input: Input<Value<Params>, Value<Query>, Value<Body>>) => Promise<Prepared>
  /**
   * Like `before`, for what only asks the database: each of its reads carries the access check, so that it needs none
   * of its own. Allocates codes whose counters all organizations share. Excludes `before`.
   */
  allocates?: (io: IoContext, input: Input<Value<Params>, Value<Query>, Value<Body>>) => Promise<Prepared>
  /**
   * The statements that `run` asks first. They travel with the access check and the organization's lock, and `run` gets
   * their rows without a round trip. In organizations only.
   */
  ahead?: (context: ReadContext, input: Input<Value<Params>, Value<Query>, Value<Body>>) => Statement[]
  run?: (
    ctx: ContextOf<Kind>,
    input: Input<Value<Params>, Value<Query>, Value<Body>>,
    prepared: Prepared,
  ) => Promise<Result<Static<Data>> | Refusal>
}

export { page } from '#kernel/data/lists/page.ts'
export { both, parentIn, parts, row } from '#kernel/data/lists/read-plans.ts'
export type { ReadPlan } from '#kernel/data/lists/read-plans.ts'

type Value<Schema> = Schema extends TSchema ? Static<Schema> : Record<string, never>

/** A declared route, without the type parameters that `route()` has checked. */
export type Route = {
  method: Method
  path: string
  access: Access
  purpose: string
  operationId?: string
  description?: string
  /** The area, for the OpenAPI document; set by `area()` of http/manifest/area.ts. */
  tag: string
  params?: TSchema
  query?: TSchema
  body?: TSchema
  rules?: Rules<never>
  example?: unknown
  data?: TSchema
  page?: TSchema
  status: 200 | 201 | 202
  fails: readonly ErrorCode[]
  limit?: Limit
  secret: boolean
  cookieAlone: boolean
  dryRun?: true
  record?: RecordKind
  bulk?: true
  stepUp?: StepUp
  person?: true
  limitsOrganizations?: true
  mayBeStale?: true
  read?: (context: ReadContext, input: Input<never, never, never>) => ReadPlan<unknown>
  longPoll?: { nextOf: (data: unknown) => number | null }
  afterRead?: {
    when: (data: unknown, callerContext: CallerContext) => boolean
    run: (ctx: OrganizationContext, data: unknown) => Promise<unknown>
  }
  moment?: string
  file?: FileMaker<unknown>
  upload?: Upload<never, never, unknown>
  before?: (io: IoContext, input: Input<never, never, never>) => Promise<unknown>
  allocates?: (io: IoContext, input: Input<never, never, never>) => Promise<unknown>
  ahead?: (context: ReadContext, input: Input<never, never, never>) => Statement[]
  run?: (ctx: never, input: Input<never, never, never>, prepared: unknown) => Promise<Result<unknown> | Refusal>
}

export function route<
  const Kind extends Access,
  Data extends TSchema,
  Params extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  Prepared = undefined,
>(definition: Definition<Kind, Params, Query, Body, Data, Prepared>): Route {
  const { status = 200, fails = [], secret = false, cookieAlone = false, ...rest } = definition
  const known = rest.dryRun ? withDryRun(rest.query) : rest.query
  const query = withExpand(withFields({ ...rest, secret }, known), rest.record)
  if ([rest.read, rest.run, rest.bulk].filter(Boolean).length !== 1)
    throw new Error(`${rest.method} ${rest.path} needs either read or run`)
  if ([rest.upload, rest.before, rest.allocates].filter(Boolean).length > 1)
    throw new Error(`${rest.method} ${rest.path} may have one of upload, before and allocates`)
  if (rest.ahead && !isInOrganization(rest.access))
    throw new Error(`${rest.method} ${rest.path} is in no organization, so it sends no statements ahead`)
  if (rest.dryRun && (!rest.run || rest.upload || rest.allocates || !isInOrganization(rest.access)))
    throw new Error(`${rest.method} ${rest.path} cannot be rolled back whole, so it takes no dry run`)
  assertStaffNeeds(rest.access, `${rest.method} ${rest.path}`, rest.method !== 'GET' && !rest.bulk)
  if (rest.mayBeStale && (!rest.read || rest.longPoll || rest.afterRead))
    throw new Error(`${rest.method} ${rest.path} does not only read, so no replica may answer it`)
  if (rest.method === 'GET' && Type.IsArray(rest.data))
    throw new Error(`${rest.method} ${rest.path} gives a list, so it has pages`)
  if (rest.file && !rest.read) throw new Error(`${rest.method} ${rest.path} gives a file, so it must read`)
  return { tag: '', ...rest, ...(query && { query }), status, fails, secret, cookieAlone } as unknown as Route
}

type OfReads = 'fails' | 'limit' | 'mayBeStale'

/** A read whose answer is a file: `read` finds the facts in one round trip, `make` turns them into bytes. */
export function fileRoute<
  const Kind extends Access,
  Facts,
  Params extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
>(
  definition: Pick<
    Definition<Kind, Params, Query, undefined, TSchema, undefined>,
    'path' | 'access' | 'purpose' | 'operationId' | 'tag' | 'description' | 'params' | 'query' | OfReads
  > & {
    /** Several where each record has its own. */
    contentType: string | readonly string[]
    read: (context: ReadContext, input: Input<Value<Params>, Value<Query>, unknown>) => ReadPlan<Facts>
    make: FileMaker<Facts>['make']
  },
): Route {
  const { contentType, make, fails = [], ...rest } = definition
  const file = { produces: [contentType].flat(), make }
  assertStaffNeeds(rest.access, `GET ${rest.path}`, false)
  return {
    tag: '',
    ...rest,
    method: 'GET',
    status: 200,
    fails,
    secret: true,
    cookieAlone: false,
    file,
  } as unknown as Route
}
