// HubSpot's API over HTTP: calls with a time and a size limit, paced by HubSpot's rate limit, errors as the port's
// three.
import { setTimeout as pause } from 'node:timers/promises'
import { Type, type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { type JsonAnswer, jsonApi } from '#ports/json-api.ts'
import { oneLine } from '#kernel/values/text/text.ts'
import { CrmBusy, CrmRefused, CrmUnavailable } from '#ports/crm.ts'

/** HubSpot publishes a version each March and September and supports it for eighteen months. */
export const API_VERSION = '2026-09'

export type HubspotAccount = { company: string; token: string; url: string; timeoutMs: number }

type Call = { method: 'GET' | 'POST' | 'PATCH' | 'PUT'; path: string; body?: object }

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
  const { company, token, url, timeoutMs } = account
  const headers = { authorization: `Bearer ${token}` }
  const api = jsonApi({ baseUrl: url.replace(/\/+$/, ''), headers, timeoutMs, maxAnswerBytes: MAX_ANSWER_BYTES })
  const pace = createPace()
  return {
    async ask(shape, call) {
      for (let attempt = 1; ; attempt++) {
        await pace.wait()
        const answer = await api.send(call.method, call.path, call.body).catch((cause: unknown) => {
          throw new CrmUnavailable(`${company}: HubSpot did not answer`, { cause })
        })
        if (answer.status === 429 && isDaily(answer))
          throw new CrmBusy(`${company}: the calls of the day are used up at HubSpot`)
        pace.heed(answer)
        if (answer.status === 429 && attempt === 1) continue
        if (answer.status === 429) throw new CrmBusy(`${company}: HubSpot takes no more calls for the moment`)
        if (answer.status === 404) return null
        if (answer.status >= 300) throw refusal(company, answer)
        if (Value.Check(shape, answer.body)) return answer.body
        throw new CrmUnavailable(`${company}: an answer in an unknown shape`)
      }
    },
    close: api.close,
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
    heed({ status, headers }: JsonAnswer) {
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
function isDaily({ headers, body }: JsonAnswer): boolean {
  return (
    numberIn(headers['x-hubspot-ratelimit-daily-remaining']) === 0 ||
    (Value.Check(Problem, body) && body.policyName === 'DAILY')
  )
}

function refusal(company: string, { status, body }: JsonAnswer): Error {
  const { message = '', correlationId = '' } = Value.Check(Problem, body) ? body : {}
  const about = oneLine(`${company}: ${status} ${message} ${correlationId}`, 500)
  const isFinal = status >= 400 && status < 500 && !RETRYABLE.has(status)
  return isFinal ? new CrmRefused(about) : new CrmUnavailable(about)
}
