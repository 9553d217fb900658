// HubSpot's API over HTTP: calls with a time and a size limit, paced by HubSpot's rate limit, errors as the port's three.
import { setTimeout as pause } from 'node:timers/promises'
import { Type, type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { Agent, request } from 'undici'
import { oneLine } from '#kernel/values/text.ts'
import { CrmBusy, CrmRefused, CrmUnavailable } from '#ports/crm.ts'

/** HubSpot publishes a version each March and September and supports it for eighteen months. */
export const API_VERSION = '2026-09'

export type HubspotAccount = { company: string; token: string; url: string; timeoutMs: number }

type Call = { method: 'GET' | 'POST' | 'PATCH' | 'PUT'; path: string; body?: object }
type Answer = { status: number; headers: Record<string, string | string[] | undefined>; text: string }

export type HubspotApi = {
  /** The answer in the given shape; null for 404. */
  ask<Shape extends TSchema>(shape: Shape, call: Call): Promise<Static<Shape> | null>
  close(): Promise<void>
}

const MAX_ANSWER_BYTES = 1024 * 1024
/** HubSpot counts calls in windows of ten seconds. */
const WINDOW_MS = 10_000
/** So many calls of a window are left to the portal's other integrations. */
const RESERVE = 5

/**
 * Refusals after which the same call may succeed later. 401 and 403: the token is being changed; 477: HubSpot moves the
 * portal.
 */
const RETRYABLE: ReadonlySet<number> = new Set([401, 403, 408, 423, 425, 477])

const Problem = Type.Object({
  message: Type.Optional(Type.String()),
  correlationId: Type.Optional(Type.String()),
  policyName: Type.Optional(Type.String()),
})

export function hubspotApi(account: HubspotAccount): HubspotApi {
  const dispatcher = new Agent({ connections: 4, maxResponseSize: MAX_ANSWER_BYTES })
  const pace = createPace()
  return {
    async ask(shape, call) {
      for (let attempt = 1; ; attempt++) {
        await pace.wait()
        const answer = await send(account, dispatcher, call)
        if (answer.status === 429 && isDaily(answer))
          throw new CrmBusy(`${account.company}: the calls of the day are used up at HubSpot`)
        pace.heed(answer)
        if (answer.status === 429 && attempt === 1) continue
        if (answer.status === 429) throw new CrmBusy(`${account.company}: HubSpot takes no more calls for the moment`)
        if (answer.status === 404) return null
        if (answer.status >= 300) throw refusal(account.company, answer)
        const body = parsed(answer.text)
        if (Value.Check(shape, body)) return body
        throw new CrmUnavailable(`${account.company}: an answer in an unknown shape`)
      }
    },
    close: () => dispatcher.destroy(),
  }
}

async function send({ company, token, url, timeoutMs }: HubspotAccount, dispatcher: Agent, call: Call) {
  const { method, path, body } = call
  try {
    // The limit is for the whole exchange, so that a slow body cannot exceed it. Redirects are not followed.
    const response = await request(url.replace(/\/+$/, '') + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
      dispatcher,
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.statusCode, headers: response.headers, text: await response.body.text() }
  } catch (cause) {
    throw new CrmUnavailable(`${company}: HubSpot did not answer`, { cause })
  }
}

/** Waits out a window that is used up; a call never waits longer than one window. */
function createPace() {
  let freeAt = 0
  return {
    async wait() {
      const left = freeAt - performance.now()
      if (left > 0) await pause(left)
    },
    heed({ status, headers }: Answer) {
      const remaining = numberIn(headers['x-hubspot-ratelimit-remaining'])
      if (status !== 429 && (remaining === null || remaining > RESERVE)) return
      const retryAfter = numberIn(headers['retry-after'])
      const interval = numberIn(headers['x-hubspot-ratelimit-interval-milliseconds'])
      const wait = retryAfter === null ? (interval ?? WINDOW_MS) : retryAfter * 1000
      freeAt = performance.now() + Math.min(wait, WINDOW_MS)
    },
  }
}

const numberIn = (header: string | string[] | undefined): number | null =>
  typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : null

/** The day's calls are used up: waiting for the next window does not help. */
function isDaily({ headers, text }: Answer): boolean {
  const problem = parsed(text)
  return (
    numberIn(headers['x-hubspot-ratelimit-daily-remaining']) === 0 ||
    (Value.Check(Problem, problem) && problem.policyName === 'DAILY')
  )
}

function refusal(company: string, { status, text }: Answer): Error {
  const problem = parsed(text)
  const { message = '', correlationId = '' } = Value.Check(Problem, problem) ? problem : {}
  const about = oneLine(`${company}: ${status} ${message} ${correlationId}`, 500)
  const isFinal = status >= 400 && status < 500 && !RETRYABLE.has(status)
  return isFinal ? new CrmRefused(about) : new CrmUnavailable(about)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
