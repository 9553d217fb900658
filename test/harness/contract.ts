// Checks every answer of every test against its route: the data against the declared schema, closed and before
// serialization; the code of an error against the declared codes; and the audit entry of staff access.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { FailureEnvelope } from '#http/envelope.ts'
import { reasons } from '../../src/modules.ts'
import { answersOf, failuresOf } from '#http/openapi/document.ts'
import type { Route } from '#http/route.ts'
import { hasTranslation } from '#texts/answers/sentences.ts'
import { headerProblem } from './answer-headers.ts'
import type { StaffAccessCheck } from './staff-access.ts'

const BASE = '/api/v1'

type Check = (body: unknown) => string | null

/** Collects violations; call `throwIfBroken` after each request, or at the end for requests over real HTTP. */
export type Contract = { throwIfBroken(requestId?: string): void }

/** To be called before the app is ready. */
export function holdToContract(
  app: FastifyInstance,
  routes: readonly Route[],
  staffAccess: StaffAccessCheck,
): Contract {
  const broken = new Map<string, string>()
  const byUrl = new Map(routes.map((route) => [`${route.method} ${fastifyPath(route.path)}`, route]))
  app.addHook('preSerialization', async (request, reply, payload) => {
    const route = routeOf(byUrl, request)
    if (!route) return payload
    const body: unknown = JSON.parse(JSON.stringify(payload))
    const isEnglish = reply.getHeader('content-language') === 'en'
    const problem =
      (isEnglish ? judgeSentences(body as Said) : null) ??
      (reply.statusCode < 400
        ? judgeSuccess(route, reply.statusCode, body, request.query as object)
        : judgeFailure(route, body))
    if (problem !== null)
      broken.set(request.id, `${request.method} ${request.url} answered ${reply.statusCode}: ${problem}`)
    return payload
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const route = routeOf(byUrl, request)
    const audited = route && reply.statusCode < 400 ? await staffAccess(route, request) : null
    const problem = audited ?? (route ? headerProblem(route, reply, payload) : null)
    if (problem !== null)
      broken.set(request.id, `${request.method} ${request.url} answered ${reply.statusCode}: ${problem}`)
    return payload
  })
  throwAfterInject(app, broken)
  return {
    throwIfBroken(requestId) {
      const found = requestId === undefined ? [...broken.values()] : [broken.get(requestId) ?? []].flat()
      if (requestId === undefined) broken.clear()
      else broken.delete(requestId)
      if (found.length > 0) throw new Error(`Against the route's own contract:\n${found.join('\n')}`)
    },
  }
}

const fastifyPath = (path: string): string => BASE + path.replaceAll(/\{(\w+)\}/g, ':$1')

function routeOf(byUrl: Map<string, Route>, request: FastifyRequest): Route | undefined {
  const method = request.method === 'HEAD' ? 'GET' : request.method
  return byUrl.get(`${method} ${request.routeOptions.url ?? ''}`)
}

function throwAfterInject(app: FastifyInstance, broken: Map<string, string>): void {
  const inject = app.inject.bind(app) as (...given: unknown[]) => unknown
  const checked = (...given: unknown[]) => {
    // Requests with a callback or a chain are not checked here; `app.close` of the harness reports them.
    if (given.length !== 1) return inject(...given)
    return Promise.resolve(inject(...given) as Promise<{ headers: Record<string, unknown> }>).then((response) => {
      const id = String(response.headers['x-request-id'])
      const problem = broken.get(id)
      broken.delete(id)
      if (problem !== undefined) throw new Error(`Against the route's own contract: ${problem}`)
      return response
    })
  }
  Object.assign(app, { inject: checked })
}

const successChecks = new Map<string, Check>()

function judgeSuccess(
  route: Route,
  status: number,
  body: unknown,
  asked: { fields?: string; expand?: string },
): string | null {
  const declared = answersOf(route)[status]
  if (!declared) return `the route declares ${route.status}`
  const { expand, ...plainly } = asked
  if (expand !== undefined) return judgeSuccess(route, status, withoutExpanded(body), plainly)
  if (asked.fields !== undefined) return judgeFields(body as { data: object | object[] }, asked.fields) ?? oddTime(body)
  const key = `${route.method} ${route.path} ${status}`
  let check = successChecks.get(key)
  if (!check) {
    // A change returns the whole row that it wrote; the serializer keeps what the schema lists.
    check = checkOf(declared, route.method === 'GET')
    successChecks.set(key, check)
  }
  return check(body) ?? oddTime(body)
}

/** With `expand` each record has `expanded` besides. */
function withoutExpanded(body: unknown): unknown {
  const { data } = body as { data: object | object[] }
  return { ...(body as object), data: Array.isArray(data) ? data.map(withoutOne) : withoutOne(data) }
}

function withoutOne(record: object): object {
  if (!('expanded' in record)) throw new Error('a record lacks expanded')
  const { expanded: _expanded, ...rest } = record
  return rest
}

/** With `fields` a record has just these. */
function judgeFields({ data }: { data: object | object[] }, fields: string): string | null {
  const names = fields.split(',').toSorted().join()
  const odd = [data].flat().find((record) => Object.keys(record).toSorted().join() !== names)
  return odd ? `${JSON.stringify(odd)} has other fields than ${names}` : null
}

/** Finds a time in another form than the declared one, anywhere in the answer. */
export function oddTime(value: unknown): string | null {
  if (typeof value === 'string')
    return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value) && !TIME.test(value) ? `${value} is no time of ours` : null
  if (typeof value !== 'object' || value === null) return null
  for (const member of Object.values(value)) {
    const found = oddTime(member)
    if (found !== null) return found
  }
  return null
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

let failureCheck: Check | undefined

/** Of every write with an Idempotency-Key. */
const OF_KEYS = ['request_in_progress', 'answer_not_kept']

type Failure = { message: string; errors: { code: string; reason?: string; fields?: Record<string, string> } }
type Said = Pick<Failure, 'message'> & Partial<Failure>

function judgeSentences({ message, errors }: Said): string | null {
  const foreign = [message, ...Object.values(errors?.fields ?? {})].find((sentence) => !hasTranslation(sentence))
  return foreign === undefined ? null : `src/texts/answers lacks ${JSON.stringify(foreign)}`
}

function judgeFailure(route: Route, body: unknown): string | null {
  const problem = (failureCheck ??= checkOf(FailureEnvelope))(body)
  if (problem !== null) return problem
  const { code, reason } = (body as Failure).errors
  if (code === 'CONFLICT' && reason === undefined) return 'a conflict without a reason'
  if (reason !== undefined && !(reason in reasons)) return `no module declares the reason ${reason}`
  if (code === 'CONFLICT' && ![...route.fails, ...OF_KEYS].some((declared) => declared === reason))
    return `the route does not declare ${reason} (fails)`
  return failuresOf(route).some((declared) => declared === code) ? null : `the route does not declare ${code} (fails)`
}

export function checkOf(schema: TSchema, isExact = true): Check {
  const validator = Compile((isExact ? closed(schema) : schema) as TSchema)
  return (body) => {
    if (validator.Check(body)) return null
    const problems = [...validator.Errors(body)].map((problem) => {
      const { instancePath, message, params } = problem as { instancePath: string; message: string; params: object }
      return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`
    })
    return problems.slice(0, 5).join('; ')
  }
}

/** Makes every object of the schema refuse unlisted properties, which the serializer would drop. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, LITERAL.has(key) ? value : closed(value)]),
  )
  delete copy['$id']
  const isObject = copy['type'] === 'object' && typeof copy['properties'] === 'object'
  if (isObject && copy['additionalProperties'] === undefined && copy['patternProperties'] === undefined)
    copy['additionalProperties'] = false
  return copy
}

const LITERAL = new Set(['examples', 'example', 'default', 'const', 'enum', 'required'])
