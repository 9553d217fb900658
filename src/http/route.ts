// An endpoint as data: method, path, access, input, answer, error codes and operation.
import { type Static, type TSchema, Type } from 'typebox'
import type { OrganizationContext, IoContext, SystemContext } from '#kernel/data/context.ts'
import type { AppError, ErrorCode } from '#kernel/values/errors.ts'
import type { Reason } from '#kernel/values/reasons.ts'
import type { Features } from '#http/features/features.ts'
import type { FileMaker } from '#http/features/file-bodies.ts'
import { type Access, assertStaffNeeds, type OrganizationAccess, isInOrganization } from '#kernel/values/permissions.ts'
import { withDryRun } from '#kernel/jobs/preview.ts'
import { daysBetween } from '#kernel/values/time/calendar.ts'
import { withExpand } from '#http/features/expand.ts'
import { withFields } from '#http/features/sparse-fields.ts'
import type { RowsOf, Statement } from '#kernel/values/sql.ts'
import type { ReadContext } from '#kernel/data/route-contexts.ts'
import type { Rules } from '#kernel/values/validation/validation.ts'
import type { ReadPlan } from '#kernel/data/lists/read-plans.ts'

export type { CallerContext, ReadContext } from '#kernel/data/route-contexts.ts'
export type { RuleContext, Rules } from '#kernel/values/validation/validation.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

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

type Definition<
  Kind extends Access,
  Params,
  Query,
  Body,
  Data extends TSchema,
  Prepared,
  Asked extends readonly Statement[],
> = {
  method: Method
  path: string
  access: Kind
  /** One line: the summary in the OpenAPI document. */
  purpose: string
  /** Further paragraphs for the OpenAPI document. */
  description?: string
  openapi?: OpenApi
  params?: Params
  query?: Query
  body?: Body
  /** Rules that the schema cannot express; their errors are answered together with those of the schema. */
  rules?: Rules<Value<Body>>
  data?: Data
  page?: Data
  status?: 200 | 201 | 202
  /** What it refuses besides the pipeline: codes, and the reasons of its 409s. */
  fails?: readonly (ErrorCode | Reason)[]
  features?: Features<Static<Data>, Value<Params>, Value<Query>, Prepared>
  before?: Before<Input<Value<Params>, Value<Query>, Value<Body>>, Prepared, Asked>
  read?: (context: ReadContext, input: Input<Value<Params>, Value<Query>, Value<Body>>) => ReadPlan<Static<Data>>
  /** `prepared`: what `before` or an upload gave. */
  run?: (
    ctx: ContextOf<Kind>,
    input: Input<Value<Params>, Value<Query>, Value<Body>> & { rows: RowsOf<Asked> },
    prepared: Prepared,
  ) => Promise<Result<Static<Data>> | Refusal>
}

/** For the OpenAPI document alone. */
type OpenApi = {
  /** Only where the path does not give a good name (operation-id.ts). */
  operationId?: string
  /** The area under which it is listed, when that is not the declaring one. */
  tag?: string
  /** An example of the body. */
  example?: unknown
}

/**
 * What is done before `run` is. A function runs after an access check of its own, outside of transactions, and may ask
 * other systems.
 */
type Before<In, Prepared, Asked extends readonly Statement[]> =
  | ((io: IoContext, input: In) => Promise<Prepared>)
  | {
      /**
       * Outside of transactions as well, for what only asks the database: each of its reads carries the access check,
       * so that it needs none of its own. Allocates codes whose counters all organizations share.
       */
      allocates?: (io: IoContext, input: In) => Promise<Prepared>
      /**
       * Statements that travel with the access check and the organization's lock; `run` gets their rows as `rows` of
       * its input. In organizations only.
       */
      asks?: (context: ReadContext, input: In) => Asked
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
  description?: string
  /** `tag` is the area (http/manifest/area.ts). */
  openapi: OpenApi
  params?: TSchema
  query?: TSchema
  body?: TSchema
  rules?: Rules<never>
  data?: TSchema
  page?: TSchema
  status: 200 | 201 | 202
  fails: readonly (ErrorCode | Reason)[]
  features: Features
  before?: Before<Input<never, never, never>, unknown, readonly Statement[]>
  read?: (context: ReadContext, input: Input<never, never, never>) => ReadPlan<unknown>
  run?: (
    ctx: never,
    input: Input<never, never, never> & { rows: readonly unknown[][] },
    prepared: unknown,
  ) => Promise<Result<unknown> | Refusal>
}

export function route<
  const Kind extends Access,
  Data extends TSchema,
  Params extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  Prepared = undefined,
  Asked extends readonly Statement[] | [] = [],
>(definition: Definition<Kind, Params, Query, Body, Data, Prepared, Asked>): Route {
  const { status = 200, fails = [], openapi = {}, features = {}, ...rest } = definition
  const declared = { ...rest, status, fails, openapi, features } as unknown as Route
  assertWhole(declared)
  const query = queryOf(declared)
  return { ...declared, ...(query && { query }) }
}

/** The query with the parameters that features add. */
const queryOf = (declared: Route): TSchema | undefined => {
  const { features, query } = declared
  return withExpand(withFields(declared, features.dryRun ? withDryRun(query) : query), features.record)
}

/** Thrown at the start: what is declared must go together. */
function assertWhole({ method, path, access, data, features, before, read, run }: Route): void {
  const refuse = (why: string) => {
    throw new Error(`${method} ${path} ${why}`)
  }
  const { bulk, upload, deprecated, dryRun, mayBeStale, longPoll, afterRead, file, limit } = features
  const { allocates, asks } = typeof before === 'object' ? before : {}
  if ([read, run, bulk].filter(Boolean).length !== 1) refuse('needs either read or run')
  if (upload && (typeof before === 'function' || allocates)) refuse('may have one of upload, before and allocates')
  if (asks && !isInOrganization(access)) refuse('is in no organization, so it sends no statements ahead')
  const isOpen = access.kind === 'open' || access.kind === 'signed'
  if (limit && !isOpen && (!run || upload || allocates)) refuse('takes a way that asks for no limit of its own')
  if (dryRun && (!run || upload || allocates || !isInOrganization(access)))
    refuse('cannot be rolled back whole, so it takes no dry run')
  assertStaffNeeds(access, `${method} ${path}`, method !== 'GET' && !bulk)
  if (mayBeStale && (!read || longPoll || afterRead)) refuse('does not only read, so no replica may answer it')
  if (method === 'GET' && Type.IsArray(data)) refuse('gives a list, so it has pages')
  if (file && !read) refuse('gives a file, so it must read')
  if (deprecated && daysBetween(deprecated.since, deprecated.sunset) < 365) refuse('is to go within a year')
}

type OfReads = 'path' | 'access' | 'purpose' | 'description' | 'openapi' | 'params' | 'query' | 'fails'

/** A read whose answer is a file: `read` finds the facts in one round trip, `make` turns them into bytes. */
export function fileRoute<
  const Kind extends Access,
  Facts,
  Params extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
>(
  definition: Pick<Definition<Kind, Params, Query, undefined, TSchema, undefined, []>, OfReads> & {
    features?: Pick<Features, 'limit' | 'mayBeStale' | 'limitsOrganizations' | 'cacheSeconds'>
    /** Several where each record has its own. */
    contentType: string | readonly string[]
    read: (context: ReadContext, input: Input<Value<Params>, Value<Query>, unknown>) => ReadPlan<Facts>
    make: FileMaker<Facts>['make']
  },
): Route {
  const { contentType, make, features, fails = [], openapi = {}, ...rest } = definition
  const file = { produces: [contentType].flat(), make }
  const whole = { ...(features?.cacheSeconds === undefined && { secret: true }), ...features, file }
  const declared = { ...rest, openapi, method: 'GET', status: 200, fails, features: whole } as unknown as Route
  assertWhole(declared)
  return declared
}
