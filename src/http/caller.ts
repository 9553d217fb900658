// The credential of a request, for routes and for paths that are none.
import type { IncomingMessage } from 'node:http'
import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Credential, readCredential } from '#kernel/access/credentials.ts'
import { AppError } from '#kernel/values/errors.ts'
import type { Engine, RouteChecks } from './request-context.ts'
import { answer } from './answer.ts'
import type { Limit } from '#http/features/features.ts'
import type { Cookie, Route } from './route.ts'

/**
 * The account whose secret a request could guess: that of an e-mail address, or the caller's own; or the key that it
 * uses.
 */
type Guess = { email: string } | { userId: number } | { key: string } | null

export type RegisterOptions = {
  engine: Engine
  routes: readonly Route[]
  /** Counts the request of a caller and sets the RateLimit fields; throws 429. */
  countCaller: (request: FastifyRequest, reply: FastifyReply, credential: Credential | null) => Promise<void>
  /** Whether its secret is right: until it is known to be, its requests count for the network address. */
  proveCaller: (credential: Credential, isProven: boolean) => void
  /** Counts a request that could guess or enumerate, by network address and by account; throws 429. */
  countGuess: (request: FastifyRequest, reply: FastifyReply, policy: Limit['policy'], guessed: Guess) => Promise<void>
  logFailure: (request: FastifyRequest, error: AppError) => void
  cookieName: string
  setCookie: (reply: FastifyReply, cookie: Cookie) => void
}

/** Node joins most repeated headers with a comma. They are split again, since these headers must have one value. */
export function repeatable(request: FastifyRequest, name: string): string | string[] | undefined {
  const value = request.headers[name]
  return typeof value === 'string' && value.includes(',') ? value.split(',') : value
}

/** `/quotes/{id}` in the documents, `/quotes/:id` for the router. */
export const fastifyPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** A guess by a signed-in user counts against their own account. */
export function guessedAt(limit: Limit, body: Record<string, unknown>, credential: Credential | null): Guess {
  const email = limit.account?.(body)
  if (email !== undefined) return { email }
  const key = limit.key?.(body)
  if (key !== undefined) return { key }
  return credential && credential.kind !== 'api_key' ? { userId: credential.userId } : null
}

/** Counts in the raw headers: Node keeps only the first of several `Authorization` or `Host` headers. */
export function timesGiven({ rawHeaders }: IncomingMessage, name: string): number {
  let found = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === name.length && rawHeaders[index]?.toLowerCase() === name) found++
  return found
}

type Calling = { request: FastifyRequest; reply: FastifyReply; cookieAlone?: boolean | undefined }

/** What is no credential counts for the network address, or guessing one would be unlimited. */
export const credentialOf = (options: RegisterOptions, calling: Calling): Promise<Credential> =>
  readCredentialOf(options, calling).catch(async (error: unknown) => {
    await options.countCaller(calling.request, calling.reply, null)
    throw error
  })

async function readCredentialOf(
  options: RegisterOptions,
  { request, cookieAlone = false }: Calling,
): Promise<Credential> {
  if (timesGiven(request.raw, 'authorization') > 1) throw new AppError('AUTHENTICATION_ERROR')
  const query = request.query as Record<string, unknown>
  const { engine } = options
  const { authorization, cookie, 'x-service-nonce': nonce } = request.headers
  const credential = await readCredential(
    {
      authorization,
      cookie: cookie === undefined ? undefined : request.server.parseCookie(cookie)[options.cookieName],
      nonce: typeof nonce === 'string' ? nonce : undefined,
      cookieAlone,
      consumerKey: query['consumer_key'],
      consumerSecret: query['consumer_secret'],
      keysInQuery: engine.ports.settings.apiKeysInQuery,
    },
    engine.ports.accessTokens,
    engine.ports.secretKey,
    engine.clock(),
  )
  if (!credential || (cookieAlone && credential.kind !== 'session')) throw new AppError('AUTHENTICATION_ERROR')
  return credential
}

/** Aborted when the client has gone, and after the answer. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  return gone.signal
}

/** For paths without a route: throws 401 without valid credentials, so that only callers learn what does not exist. */
export async function requireCaller(
  options: RegisterOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const credential = await credentialOf(options, { request, reply })
  await options.countCaller(request, reply, credential)
  const access = credential.kind === 'api_key' ? ANY_MEMBER : { kind: 'user' as const }
  const nothing: Route = { ...NO_ROUTE, access }
  await answer(options.engine, nothing, NO_CHECKS, {
    credential,
    organizationHeader: repeatable(request, 'x-service-organization'),
    companyHeader: undefined,
    idempotencyHeader: undefined,
    params: {},
    query: {},
    body: Buffer.alloc(0),
    multipart: null,
    headers: {},
    requestId: request.id,
    ip: request.ip,
    gone: () => goneSignal(reply),
    logOrganization: () => {},
    prove: (isProven) => options.proveCaller(credential, isProven),
    countOperation: async () => {},
    logFailure: () => {},
    limit: async () => {},
  }).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code === 'AUTHENTICATION_ERROR') throw error
  })
}

const ANY_MEMBER = { kind: 'organization', scopes: [], atLeast: 'pending' } as const
const NO_CHECKS: RouteChecks = {
  params: null,
  query: () => null,
  body: null,
  ascii: { query: (query) => query, body: (body) => body },
  record: null,
  cut: () => null,
}
const NO_ROUTE: Route = {
  method: 'GET',
  path: '',
  access: { kind: 'user' },
  purpose: '',
  openapi: {},
  status: 200,
  fails: [],
  features: {},
  read: () => ({ kind: 'parts', statements: [], shape: () => null }),
}
