// One endpoint as data: method, path, who may, what goes in, what comes out, what it fails with, what it does.
import type { Static, TSchema } from 'typebox'
import type { Caller, OrganizationContext, IoContext, Ports, SystemContext } from '#kernel/data/context.ts'
import type { AppError, ErrorCode } from './errors.ts'
import type { FileMaker, Upload } from './file-bodies.ts'
import type { Access, OrganizationAccess } from '#kernel/access/permissions.ts'
import type { Fields } from './problems.ts'
import type { Company, Page } from '#kernel/values/schema.ts'
import { type Statement, raw, sql } from '#kernel/data/sql.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type ContextOf<Kind extends Access> = Kind extends OrganizationAccess ? OrganizationContext : SystemContext

export type Input<Params, Query, Body> = {
  params: Params
  query: Query
  body: Body
  /** Raw bytes and headers, for signed bodies. */
  raw: { body: Buffer; headers: Record<string, string | string[] | undefined> }
}

/** Under TLS the server puts the prefix `__Host-` before the name. */
export type Cookie = { name: 'service_session' | 'service_device'; value: string; maxAgeSeconds: number }

export type Result<Data> = {
  data: Data
  message?: string | null
  cookies?: Cookie[]
}

/** Open routes: committed, then refused, so what was found out stays (a refresh token used twice ends its session). */
export type Refusal = { refusal: AppError }

/** What a read knows before the door has answered: the header's organization, not yet whether the caller may enter. */
export type ReadContext = { org: number; userId: number; company: Company | null; now: Date }

/** The door's answer, for what depends on it. */
export type CallerContext = {
  caller: Caller
  scopes: readonly string[]
  organizationId: number | null
  now: Date
  role: string
  ports: Ports
  /** Of the request. */
  acceptLanguage: string | undefined
}

export type ReadPlan<Data> =
  | { kind: 'page'; rows: Statement; total: Statement<{ total: number }>; page: Page; parent?: Statement }
  | { kind: 'row'; row: Statement<Data> }
  | { kind: 'parts'; statements: Statement[]; shape: (parts: unknown[][], reader: CallerContext) => Data }

/** Which counter a request without credentials, or with ones that can be guessed, runs against. */
export type Limit = {
  policy: 'credentials' | 'public'
  /** The e-mail address of the account that the body guesses at. */
  account?: (body: Record<string, unknown>) => string | undefined
  /** Only such bodies count, and as a caller's request too; all of them when absent. */
  when?: (body: Record<string, unknown>) => boolean
}

/** Gets the fields that fit the schema; `isGiven` knows of the others too. */
export type Rules<Body> = (body: Partial<Body>, asked: RuleContext) => Fields
export type RuleContext = {
  now: Date
  isStaff: boolean
  /** The caller's address; null where nobody is known. */
  email: string | null
  isGiven: (field: string) => boolean
}

type Definition<Kind extends Access, Params, Query, Body, Data extends TSchema, Seen> = {
  method: Method
  path: string
  access: Kind
  /** One line, the summary in the documents. */
  purpose: string
  /** Where the path does not say it (kernel/http/operation-id.ts). */
  operationId?: string
  /** The area that the documents show it under, when that is not the one that declares it. */
  tag?: string
  /** More than the purpose says, when there is more. */
  description?: string
  params?: Params
  query?: Query
  body?: Body
  /** What the schema cannot say of the body; told in one answer with what the schema finds. */
  rules?: Rules<Parsed<Body>>
  /** What of the body the documents show. */
  example?: unknown
  data?: Data
  page?: Data
  status?: 200 | 201 | 202
  fails?: readonly ErrorCode[]
  limit?: Limit
  /** The answer shows a secret: never stored, never cached. */
  secret?: boolean
  /** Takes the session cookie alone (GET /auth/session only). */
  cookieAlone?: boolean
  read?: (context: ReadContext, input: Input<Parsed<Params>, Parsed<Query>, Parsed<Body>>) => ReadPlan<Static<Data>>
  /** After a read whose row asks for it: a change in a second step. */
  afterRead?: {
    when: (data: Static<Data>, reader: CallerContext) => boolean
    run: (ctx: OrganizationContext, data: Static<Data>) => Promise<Static<Data>>
  }
  /** The answer is a file; `data` then says what it is made from. Reads only. */
  file?: FileMaker<Static<Data>>
  /** The body is a file with fields; what was received reaches `run`. Instead of `before`. */
  upload?: Upload<Parsed<Params>, Parsed<Query>, Seen>
  /** After a door-only trip, outside any transaction; what it gives reaches `run`. */
  before?: (outside: IoContext, input: Input<Parsed<Params>, Parsed<Query>, Parsed<Body>>) => Promise<Seen>
  run?: (
    ctx: ContextOf<Kind>,
    input: Input<Parsed<Params>, Parsed<Query>, Parsed<Body>>,
    seen: Seen,
  ) => Promise<Result<Static<Data>> | Refusal>
}

export { page } from '#kernel/data/page.ts'

type Parsed<Schema> = Schema extends TSchema ? Static<Schema> : Record<string, never>

/** A route whose types have been checked and forgotten. */
export type Route = {
  method: Method
  path: string
  access: Access
  purpose: string
  operationId?: string
  description?: string
  /** The area, for the documents; set by `area()` of kernel/area.ts. */
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
  read?: (context: ReadContext, input: Input<never, never, never>) => ReadPlan<unknown>
  afterRead?: {
    when: (data: unknown, reader: CallerContext) => boolean
    run: (ctx: OrganizationContext, data: unknown) => Promise<unknown>
  }
  file?: FileMaker<unknown>
  upload?: Upload<never, never, unknown>
  before?: (outside: IoContext, input: Input<never, never, never>) => Promise<unknown>
  run?: (ctx: never, input: Input<never, never, never>, seen: unknown) => Promise<Result<unknown> | Refusal>
}

export function route<
  const Kind extends Access,
  Data extends TSchema,
  Params extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  Seen = undefined,
>(definition: Definition<Kind, Params, Query, Body, Data, Seen>): Route {
  const { status = 200, fails = [], secret = false, cookieAlone = false, ...rest } = definition
  if (!rest.read === !rest.run) throw new Error(`${rest.method} ${rest.path} needs either read or run`)
  if (rest.upload && rest.before) throw new Error(`${rest.method} ${rest.path} has an upload and a before`)
  if (rest.file && !rest.read) throw new Error(`${rest.method} ${rest.path} gives a file, so it must read`)
  return { tag: '', ...rest, status, fails, secret, cookieAlone } as unknown as Route
}

/** A read whose answer is a file: `read` finds the facts in its one round trip, `make` turns them into bytes. */
export function fileRoute<
  const Kind extends Access,
  Facts,
  Params extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
>(
  definition: Pick<
    Definition<Kind, Params, Query, undefined, TSchema, undefined>,
    'path' | 'access' | 'purpose' | 'operationId' | 'tag' | 'description' | 'params' | 'query' | 'fails'
  > & {
    contentType: string
    read: (context: ReadContext, input: Input<Parsed<Params>, Parsed<Query>, unknown>) => ReadPlan<Facts>
    make: FileMaker<Facts>['make']
  },
): Route {
  const { contentType, make, fails = [], ...rest } = definition
  const file = { produces: contentType, make }
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

/** The record that a linked list hangs on. */
export const parentIn = (tableName: string, organizationId: number, id: number): Statement =>
  sql`select id from ${raw(tableName)} where organization_id = ${organizationId} and id = ${id}`

/** One row, or 404. */
export const row = <Data>(statement: Statement<Data>): ReadPlan<Data> => ({ kind: 'row', row: statement })

/** What each statement gives: its rows, typed as the statement is. */
type RowsOf<Statements extends readonly Statement[]> = {
  -readonly [Index in keyof Statements]: Statements[Index] extends Statement<infer Row> ? Row[] : never
}

/** Several statements made into one answer. */
export const parts = <const Statements extends readonly Statement[], Data>(
  statements: Statements,
  shape: (parts: RowsOf<Statements>, reader: CallerContext) => Data,
): ReadPlan<Data> => ({ kind: 'parts', statements: [...statements], shape: shape as never })
