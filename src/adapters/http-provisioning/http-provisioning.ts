// The vendor's own system over HTTP: requests and reports signed as Standard Webhooks, one secret for each direction.
// Its address is a setting of the operator, so that it may be private; the configuration requires https off the
// loopback.
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'
import { Agent, request } from 'undici'
import { standardHeaders, verifiedId } from '#ports/standard-webhooks.ts'
import { parsedJson } from '#kernel/values/text/json.ts'
import { oneLine } from '#kernel/values/text/text.ts'
import {
  type Provisioning,
  type ProvisioningAnswer,
  type ProvisioningRequest,
  ProvisioningUnavailable,
  type ReceivedReport,
} from '#ports/provisioning.ts'

export type HttpProvisioningOptions = {
  url: string
  /** Signs our requests. */
  secret: string
  /** A report is signed with any of them. */
  webhookSecrets: readonly string[]
  timeoutMs?: number
}

const REPORT_TYPE = 'environment.provisioning'
const MAX_ANSWER_BYTES = 64 * 1024
const MAX_ERROR_LENGTH = 500

/** Refusals after which the same request may succeed later. */
const RETRYABLE: ReadonlySet<number> = new Set([408, 409, 425, 429])
/** The system does not support the act, and will not when it is asked again. */
const NOT_IMPLEMENTED = 501

const Answer = Type.Object({
  status: Type.Enum(['done', 'pending', 'failed']),
  url: Type.Optional(Type.Union([Type.String({ format: 'uri', pattern: '^https?://', maxLength: 255 }), Type.Null()])),
  error: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})
const Message = Type.Object({ type: Type.String({ pattern: '^[A-Za-z0-9_.]{1,100}$' }), data: Type.Unknown() })
const ReportData = Type.Intersect([Type.Object({ request_id: Type.String({ pattern: '^[\\w-]{1,100}$' }) }), Answer])

export function httpProvisioning(options: HttpProvisioningOptions): Provisioning & { close(): Promise<void> } {
  const dispatcher = new Agent({ connections: 4, maxResponseSize: MAX_ANSWER_BYTES })
  return {
    request: (asked) => ask(options, dispatcher, asked),
    readReport: (headers, body, now) => {
      const id = verifiedId(options.webhookSecrets, headers, body, now)
      if (id === null) return { kind: 'unsigned', reason: 'No secret made this signature in time' }
      return reportOf(id, parsedJson(body))
    },
    close: () => dispatcher.destroy(),
  }
}

async function ask(
  { url, secret, timeoutMs = 10_000 }: HttpProvisioningOptions,
  dispatcher: Agent,
  asked: ProvisioningRequest,
): Promise<ProvisioningAnswer> {
  const { act, requestId, organizationId, organizationName, environment, entitlement, now } = asked
  const organization = { id: organizationId, name: organizationName }
  const data = { request_id: requestId, organization, environment, entitlement }
  const body = JSON.stringify({ type: `environment.${act}`, timestamp: now.toISOString(), data })
  const headers = {
    ...standardHeaders([secret], requestId, body, now),
    'content-type': 'application/json',
    accept: 'application/json',
    'idempotency-key': requestId,
  }
  let status: number
  let text: string
  try {
    // The limit is for the whole exchange, so that a slow body cannot exceed it. Redirects are not followed.
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await request(url, { method: 'POST', headers, body, dispatcher, signal })
    status = response.statusCode
    text = await response.body.text()
  } catch (cause) {
    throw new ProvisioningUnavailable('The provisioning system did not answer', { cause })
  }
  if (isRefusal(status)) return { status: 'failed', error: `The provisioning system refused the request (${status})` }
  if (status < 200 || status >= 300)
    throw new ProvisioningUnavailable(`The provisioning system is not available (${status})`)
  const answer = parsedJson(text)
  if (!Value.Check(Answer, answer))
    throw new ProvisioningUnavailable('The provisioning system gave an answer in an unknown shape')
  return answerOf(answer)
}

const isRefusal = (status: number): boolean =>
  status === NOT_IMPLEMENTED || (status >= 300 && status < 500 && !RETRYABLE.has(status))

function reportOf(dedupeKey: string, message: unknown): ReceivedReport {
  if (!Value.Check(Message, message)) return unreadable('must be an object with "type" and "data"')
  const about = { dedupeKey, providerType: message.type }
  if (message.type !== REPORT_TYPE) return { ...about, kind: 'ignored' }
  const { data } = message
  if (!Value.Check(ReportData, data))
    return unreadable('must have "request_id", "status" (done, pending or failed) and perhaps "url", "error"')
  return { ...about, kind: 'report', requestId: data.request_id, answer: answerOf(data) }
}

const unreadable = (reason: string): ReceivedReport => ({ kind: 'unreadable', reason })

function answerOf({ status, url, error }: Static<typeof Answer>): ProvisioningAnswer {
  if (status === 'done') return { status, url: url ?? null }
  if (status === 'pending') return { status }
  return { status: 'failed', error: oneLine(error ?? '', MAX_ERROR_LENGTH) || 'The provisioning system gave no reason' }
}
