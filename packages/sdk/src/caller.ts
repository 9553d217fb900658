// One call from its operation to its answer: credentials, the request, what is done once more, the envelope.
import { oneAtATime, type Credentials, type SendOptions } from './credentials.ts'
import { ApiError, apiError, StepUpRequired, TitularError } from './errors.ts'
import type { PageMeta, StepUpRequest } from './generated/types.ts'
import type { AnyOperation, DataOf } from './operation.ts'
import { baseOf, requestOf, type CallOptions, type Parameters, type ClientScope } from './request.ts'
import { type Incoming, retryAfterSeconds, send, type Transport } from './send.ts'

export type CallerOptions = ClientScope & {
  baseUrl: string
  credentials?: Credentials | undefined
  /** Asks the person for a proof (a code, a password); the call then goes on. Null gives up. */
  onStepUp?: ((error: StepUpRequired) => StepUpRequest | null | Promise<StepUpRequest | null>) | undefined
  transport: Transport
}

export type Answer<Data> = {
  data: Data
  /** Of a list: which part it is. */
  meta: PageMeta | null
  /** A sentence for people. */
  message: string | null
  status: number
  /** For `ifMatch`. */
  etag: string | null
  requestId: string | null
  /** Whether this is the answer of an earlier request with the same idempotency key. */
  isReplayed: boolean
}

export function caller(options: CallerOptions) {
  const { baseUrl, credentials, transport, onStepUp, ...scope } = options
  const base = baseOf(baseUrl)
  const cookies = credentials?.hasCookies ? { credentials: 'include' as const } : {}

  async function perform(
    operation: AnyOperation,
    parameters: Parameters,
    more: CallOptions,
    isFile: boolean,
  ): Promise<Incoming> {
    const headers = { ...scope.headers, ...more.headers }
    // Made once, so that whatever is sent again has the same idempotency key.
    const request = {
      ...requestOf(base, operation, parameters, { ...scope, ...present(more), headers, isFile }),
      ...cookies,
    }
    const withCredentials = async (attempt: number): Promise<Incoming> => {
      const own = operation.open ? {} : ((await credentials?.headers()) ?? {})
      const incoming = await send(transport, { ...request, headers: { ...own, ...request.headers } })
      if (incoming.response.ok) return incoming
      const isRefused = incoming.response.status === 401 && !operation.open && attempt === 1
      if (isRefused && (await credentials?.renew?.(own))) return withCredentials(2)
      throw failureOf(transport, operation.id, incoming)
    }
    return withCredentials(1).catch(async (error: unknown) => {
      const isDue = error instanceof StepUpRequired && operation !== STEP_UP
      if (isDue && (await stepUp(error))) return withCredentials(1)
      throw error
    })
  }

  /** Asked for once, however many calls need it at a time. */
  const stepUp = oneAtATime(async (error: StepUpRequired): Promise<boolean> => {
    const proof = (await onStepUp?.(error)) ?? null
    if (proof !== null) await answer(STEP_UP, { body: proof }, {})
    return proof !== null
  })

  async function answer<One extends AnyOperation>(
    operation: One,
    parameters: Parameters,
    more: CallOptions,
  ): Promise<Answer<DataOf<One>>> {
    if (operation.answer === 'file') throw new TypeError(`${operation.id} answers with a file: download it`)
    const { response, text } = await perform(operation, parameters, more, false)
    const { data, meta, message } = envelopeOf<DataOf<One>>(operation, text)
    return {
      data,
      meta,
      message,
      status: response.status,
      etag: response.headers.get('etag'),
      requestId: response.headers.get('x-request-id'),
      isReplayed: response.headers.get('idempotent-replayed') === 'true',
    }
  }

  async function sendAlone<Data>(method: 'GET' | 'POST', path: string, { body, headers }: SendOptions = {}) {
    const operation: AnyOperation = { id: `${method} ${path}`, method, path, answer: 'json', open: true }
    const parameters = body === undefined ? {} : { body }
    const { text } = await perform(operation, parameters, headers ? { headers } : {}, false)
    return envelopeOf<Data>(operation, text).data
  }

  return { perform, answer, send: sendAlone }
}

const STEP_UP: AnyOperation = { id: 'stepUp', method: 'POST', path: '/auth/step-up', answer: 'json' }

/** What an option leaves undefined is that of the client. */
const present = (options: CallOptions): CallOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))

type Envelope<Data> = { data: Data; meta: PageMeta | null; message: string | null }

const isEnvelope = <Data>(value: object | null): value is Envelope<Data> => value !== null && 'data' in value

/** The one place that takes the service at its word: openapi.json says what `data` is, and a test holds it to that. */
function envelopeOf<Data>({ id }: AnyOperation, text: string): Envelope<Data> {
  const envelope = parsed(text)
  if (!isEnvelope<Data>(envelope)) throw new TitularError(`${id}: no answer of a Titular service; is baseUrl right?`)
  return envelope
}

/** Null for what is no object. */
function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

function failureOf({ now }: Transport, operation: string, { response, text }: Incoming): ApiError {
  // A proxy before the service answers in a form of its own.
  const { message, errors }: { message?: unknown; errors?: unknown } = parsed(text) ?? {}
  return apiError({
    status: response.status,
    message: typeof message === 'string' ? message : `${operation}: ${response.status} ${response.statusText}`.trim(),
    errors: typeof errors === 'object' && errors !== null ? errors : {},
    operation,
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: retryAfterSeconds(response, now()),
  })
}
