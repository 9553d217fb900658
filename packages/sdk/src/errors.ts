// What a call can fail with. An answer of the service becomes the class of its status; the rest never got one.
import type { Failure } from './generated/types.ts'

type Refusal = Partial<Failure['errors']>

/** The base of all errors of this package. */
export class TitularError extends Error {
  override readonly name: string = 'TitularError'
}

/** No answer came: the connection failed, or the service could not be reached. */
export class ConnectionError extends TitularError {
  override readonly name: string = 'ConnectionError'
}

/** No answer came in time. What was asked for may have happened all the same. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

export type FailureFacts = {
  status: number
  message: string
  errors: Refusal
  operation: string
  requestId: string | null
  retryAfterSeconds: number | null
}

/** The service answered, and refused or failed. `code` and `reason` are for programs, `message` is for people. */
export class ApiError extends TitularError {
  override readonly name: string = 'ApiError'
  readonly status: number
  readonly code: Refusal['code'] | undefined
  /** Tells refusals of one code apart; more are added over time. */
  readonly reason: Refusal['reason'] | undefined
  /** A page that says what the reason means, and what to do. */
  readonly docsUrl: string | undefined
  readonly detail: string | undefined
  /** To be named when something is reported. */
  readonly requestId: string | null
  /** The id of the operation that was called. */
  readonly operation: string
  /** How long to wait before the next try; null where the service does not say. */
  readonly retryAfterSeconds: number | null

  constructor({ status, message, errors, operation, requestId, retryAfterSeconds }: FailureFacts) {
    super(message)
    this.status = status
    this.code = errors.code
    this.reason = errors.reason
    this.docsUrl = errors.docs_url
    this.detail = errors.detail
    this.requestId = requestId
    this.operation = operation
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** 401: credentials are missing, wrong or over. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError'
}

/** 403: `missing` has the scopes and the role that the caller lacks. */
export class AuthorizationError extends ApiError {
  override readonly name: string = 'AuthorizationError'
  readonly missing: Refusal['missing'] | undefined

  constructor(facts: FailureFacts) {
    super(facts)
    this.missing = facts.errors.missing
  }
}

/** 403: the act needs a fresh proof of who the caller is (`onStepUp`, or the operation that steps up). */
export class StepUpRequired extends AuthorizationError {
  override readonly name = 'StepUpRequired'
}

/** 404: there is no such record for this caller. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'
}

/** 409: the state does not allow it; `reason` says why. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError'
}

/** 410: the events that were asked for are no longer kept; `oldest` is the first that is. */
export class GoneError extends ApiError {
  override readonly name = 'GoneError'
  readonly oldest: number | null

  constructor(facts: FailureFacts) {
    super(facts)
    const oldest = Number(facts.errors.detail)
    this.oldest = Number.isSafeInteger(oldest) && oldest > 0 ? oldest : null
  }
}

/** 412: the record is no longer the one that `ifMatch` names. */
export class PreconditionError extends ApiError {
  override readonly name = 'PreconditionError'
}

/** 422: what is wrong with each field, in sentences and in codes; nested ones as `line_items.0.quantity`. */
export class ValidationError extends ApiError {
  override readonly name = 'ValidationError'
  readonly fields: NonNullable<Refusal['fields']>
  readonly fieldCodes: NonNullable<Refusal['field_codes']>

  constructor(facts: FailureFacts) {
    super(facts)
    this.fields = facts.errors.fields ?? {}
    this.fieldCodes = facts.errors.field_codes ?? {}
  }
}

/** 429: too many requests. */
export class RateLimited extends ApiError {
  override readonly name = 'RateLimited'
}

/** 503, or the same from a proxy before the service. */
export class ServiceUnavailable extends ApiError {
  override readonly name = 'ServiceUnavailable'
}

const BY_STATUS: { [status: number]: typeof ApiError } = {
  401: AuthenticationError,
  403: AuthorizationError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  412: PreconditionError,
  422: ValidationError,
  429: RateLimited,
  502: ServiceUnavailable,
  503: ServiceUnavailable,
  504: ServiceUnavailable,
}

export function apiError(facts: FailureFacts): ApiError {
  const Class = facts.errors.reason === 'step_up_required' ? StepUpRequired : (BY_STATUS[facts.status] ?? ApiError)
  return new Class(facts)
}
