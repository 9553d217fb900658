// The table of error codes (spec 7), the error class that carries one to the client, and how other errors are mapped.

import type { Reason } from './reasons.ts'

export const ERRORS = {
  BAD_REQUEST: { status: 400, message: 'The request is malformed' },
  AUTHENTICATION_ERROR: { status: 401, message: 'Authentication is missing, invalid or has ended' },
  AUTHORIZATION_ERROR: { status: 403, message: 'Not permitted' },
  NOT_FOUND: { status: 404, message: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'The method is not allowed here' },
  NOT_ACCEPTABLE: { status: 406, message: 'No representation that the request accepts' },
  CONFLICT: { status: 409, message: 'The current state does not allow this' },
  GONE: { status: 410, message: 'No longer kept' },
  PRECONDITION_FAILED: { status: 412, message: 'The record is no longer as it was seen; get it again' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The content type is not supported; send application/json' },
  RANGE_NOT_SATISFIABLE: { status: 416, message: 'The file has no such range of bytes' },
  VALIDATION_ERROR: { status: 422, message: 'The input is not valid' },
  PRECONDITION_REQUIRED: { status: 428, message: 'Send If-Match with the ETag of the record' },
  RATE_LIMIT: { status: 429, message: 'Too many requests; try again later' },
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong on our side' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'The service is busy or the database cannot be reached; try again' },
} as const

export type ErrorCode = keyof typeof ERRORS
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[]

type ErrorDetails = {
  /** Tells refusals of one code apart; each conflict has one. */
  reason?: Reason | undefined
  /** The message of the answer; that of the table when absent. */
  message?: string | undefined
  /** By field: what is wrong with it. Nested fields are named like `line_items.0.quantity`. */
  fields?: Record<string, string> | undefined
  detail?: string | undefined
  /** What the route needs and the caller lacks, in the organization. */
  missing?: { scopes: readonly string[] } | { role: string } | undefined
  /** Seconds, for `Retry-After`. */
  retryAfter?: number | undefined
  /** Of the file, for `Content-Range` (416). */
  size?: number | undefined
  /** For the log only. */
  cause?: unknown
  /** The caller that the access check refused, for the audit log only. `name` is null for one who is no member. */
  refused?: { userId: number | null; name: string | null } | undefined
}

export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: 'CONFLICT', details: ErrorDetails & { reason: Reason })
  constructor(code: Exclude<ErrorCode, 'CONFLICT'>, details?: ErrorDetails)
  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(details.message ?? ERRORS[code].message, { cause: details.cause })
    this.code = code
    this.details = details
  }
}

/** There was no connection, or no answer in time; answered as 503. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database cannot be reached', { cause })
  }
}

/** The service has too much to do at the moment; answered as 503. */
export class Busy extends Error {}

export const notFound = (what = 'Not found'): AppError => new AppError('NOT_FOUND', { message: what })
export const conflict = (reason: Reason, message: string): AppError => new AppError('CONFLICT', { reason, message })
export const invalid = (fields: Record<string, string>): AppError => new AppError('VALIDATION_ERROR', { fields })
export const forbidden = (reason: Reason, message: string): AppError =>
  new AppError('AUTHORIZATION_ERROR', { reason, message })

/** `Retry-After` when there was no connection or no lock in time. */
export const RETRY_SECONDS = 2

/** Turns any thrown value into the error for the client. Of unknown errors the client gets only the request id. */
export function toAppError(error: unknown, requestId: string): AppError {
  if (error instanceof AppError) return error
  if (error instanceof DatabaseUnavailable || error instanceof Busy || isUnavailable(error))
    return new AppError('SERVICE_UNAVAILABLE', { cause: error, retryAfter: RETRY_SECONDS })
  const status = property(error, 'statusCode')
  // Fastify's `handlerTimeout`.
  if (status === 503) return new AppError('SERVICE_UNAVAILABLE', { cause: error, retryAfter: RETRY_SECONDS })
  if (status === 413) return new AppError('PAYLOAD_TOO_LARGE', { cause: error })
  if (status === 415) return new AppError('UNSUPPORTED_MEDIA_TYPE', { cause: error })
  if (typeof status === 'number' && status >= 400 && status < 500) return new AppError('BAD_REQUEST', { cause: error })
  return new AppError('INTERNAL_ERROR', { detail: requestId, cause: error })
}

/** What pg says of a connection that has ended: such errors have no code. */
const LOST_CONNECTION =
  /connection terminated|encountered a connection error|connection.*closed|not queryable|client was closed/i

/** The database is away, starting, stopping or overloaded: the client may try again. */
function isUnavailable(error: unknown): boolean {
  const code = sqlState(error)
  if (code === 'XX000') return isLostNode(error)
  if (code !== undefined)
    return (
      /^(08...|53...|57P0[1-5]|57014|40001|40P01|55P03|25006)$/.test(code) ||
      /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT)$/.test(code)
    )
  return error instanceof Error && LOST_CONNECTION.test(error.message)
}

/** What the coordinator of a cluster says of its connection to a node, in the words of libpq. */
const isLostNode = (error: unknown): boolean =>
  error instanceof Error &&
  /^(server closed the connection|could not (receive data from|send data to) server|connection not open)/.test(
    error.message,
  )

/** Serialization failures, deadlocks, stale plans and moved shards: the same transaction may succeed when run again. */
export const isRetryable = (error: unknown): boolean =>
  ['40001', '40P01'].includes(sqlState(error) ?? '') || isStalePlan(error) || isMovedShard(error)

/** A node that ran a change waited while the shard was moved away from it. */
const isMovedShard = (error: unknown): boolean =>
  sqlState(error) === 'XX000' &&
  error instanceof Error &&
  error.message.startsWith('cannot execute a distributed query from a query on a shard')

export const isLockTimeout = (error: unknown): boolean => sqlState(error) === '55P03'

/** There was no lock or no connection in time; others who wait for the same would time out too. */
export const isLockedOut = (error: unknown): boolean => isLockTimeout(error) || error instanceof DatabaseUnavailable

/** The work itself did not fail: the database was away, another transaction held a lock, or too much waits already. */
export const isPostponed = (error: unknown): boolean =>
  isLockedOut(error) || error instanceof Busy || (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE')

/**
 * A migration changed the columns of a prepared statement, the statement no longer exists on the connection, or a
 * cluster split the shard that it was planned for.
 */
export function isStalePlan(error: unknown): boolean {
  const code = sqlState(error)
  return (
    code === '26000' ||
    (code === '0A000' && property(error, 'routine') === 'RevalidateCachedQuery') ||
    (code === 'XX000' && error instanceof Error && error.message.startsWith('could not find valid entry for shard'))
  )
}

/** The SQLSTATE, or the error code of the socket. */
export function sqlState(error: unknown): string | undefined {
  const code = property(error, 'code')
  return typeof code === 'string' ? code : undefined
}

/**
 * On the shards of a cluster, a constraint's name ends with the number of the shard; of another node, only the message
 * has it.
 */
const OF_A_SHARD = /"(\w+)_\d{6,}"/
const SHARD = /_\d{6,}$/

/** The violated constraint's name, when the error is a unique violation. */
export function uniqueViolation(error: unknown): string | undefined {
  if (sqlState(error) !== '23505') return undefined
  const constraint = property(error, 'constraint') ?? OF_A_SHARD.exec(String(property(error, 'message')))?.[1]
  return typeof constraint === 'string' ? constraint.replace(SHARD, '') : undefined
}

function property(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null && name in error
    ? (error as Record<string, unknown>)[name]
    : undefined
}
