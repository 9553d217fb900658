// Requests to webhook endpoints: never to a private address, never after a redirect, bounded in time and in size.
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { errors, request } from 'undici'
import { guardedAgent, PrivateAddress } from '#ports/outgoing.ts'
import { cut, oneLine, storable } from '#kernel/values/text/text.ts'
import type { WebhookAnswer, WebhookRequest, WebhookSender } from '#ports/webhook-sender.ts'

export type HttpWebhooksOptions = {
  /** The sandbox: endpoints may be on this machine. */
  loopback: boolean
  timeoutMs?: number
}

const TIMEOUT_MS = 15_000
const MAX_BODY_BYTES = 4096
const MAX_HEADERS = 30
const MAX_HEADER_LENGTH = 256
/** Of the receiver's own sessions, so that they stand in no log of ours. */
const DROPPED = ['set-cookie']

export function httpWebhooks({ loopback, timeoutMs = TIMEOUT_MS }: HttpWebhooksOptions): WebhookSender {
  const dispatcher = guardedAgent(
    {
      connect: { timeout: timeoutMs },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      keepAliveTimeout: 4000,
      // As many to a host as there are deliveries: many customers may have endpoints at one host, and one that hangs
      // must not hold up those beside it.
      connections: null,
    },
    { loopback },
  )
  async function answered({ url, headers, body }: WebhookRequest): Promise<Omit<WebhookAnswer, 'durationMs'>> {
    // For the whole exchange, so that an answer that trickles in holds up nothing.
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const response = await request(url, { method: 'POST', headers, body, dispatcher, signal })
      const text = await beginningOf(response.body)
      return { status: response.statusCode, headers: listed(response.headers), body: text, error: null }
    } catch (error) {
      return { status: null, headers: {}, body: '', error: reasonOf(error, timeoutMs) }
    }
  }
  return {
    async send(asked) {
      const began = performance.now()
      const answer = await answered(asked)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both forms of the answer, with the time
      return { ...answer, durationMs: Math.round(performance.now() - began) } as WebhookAnswer
    },
    close: () => dispatcher.destroy(),
  }
}

/** The first bytes. The status has come already, so that a body which breaks off or takes too long is no failure. */
async function beginningOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      const bytes = Buffer.from(chunk)
      chunks.push(bytes)
      size += bytes.length
      if (size >= MAX_BODY_BYTES) break
    }
  } catch {
    // What came before counts.
  } finally {
    body.on('error', () => {}).destroy()
  }
  return storable(Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString('utf8'))
}

function listed(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !DROPPED.includes(name))
  return Object.fromEntries(
    kept
      .slice(0, MAX_HEADERS)
      .map(([name, value]) => [cut(storable(name), 100), cut(storable(String(value)), MAX_HEADER_LENGTH)]),
  )
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The host name does not exist',
  EAI_AGAIN: 'The host name could not be resolved',
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was reset',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The network cannot be reached',
  ETIMEDOUT: 'The connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out',
  UND_ERR_SOCKET: 'The connection was closed before an answer came',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large',
}

/** Messages of the network library may name addresses of this network; only the known ones are passed on. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'The request failed'
  if (error instanceof PrivateAddress) return 'The address is not public'
  const isLate =
    error.name === 'TimeoutError' ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError
  if (isLate) return `No answer within ${timeoutMs / 1000} seconds`
  if (error instanceof errors.HTTPParserError) return 'The answer is not HTTP'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (/CERT|TLS|SSL|ALTNAME|SELF_SIGNED|UNABLE_TO_/.test(code)) return oneLine(`No secure connection: ${code}`, 200)
  return REASONS[code] ?? oneLine(`The request failed${code && ` (${code})`}`, 200)
}
