// What trackers answer, as their adapters share it: failures by HTTP status, answers by schema, signatures of GitHub's
// kind.
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { isSignedBy } from './body-signatures.ts'
import type { ReceivedHeaders } from './standard-webhooks.ts'
import { type JsonAnswer, type JsonApi, NoAnswer } from './json-api.ts'
import { momentIn } from './moments.ts'
import { oneLine } from '#kernel/values/text/text.ts'
import { IssueMissing, TrackerRefused, TrackerUnavailable } from './issue-tracker.ts'

const RETRYABLE: ReadonlySet<number> = new Set([408, 425, 429])
const LONGEST_WAIT_SECONDS = 3600
const MAX_REASON = 300

/** Sends a request; gives the answer when its status is below 300, else throws the failure that it means. */
export async function answerOf(
  api: JsonApi,
  [method, path, body]: Parameters<JsonApi['send']>,
  reasonIn: (body: unknown) => string,
): Promise<unknown> {
  let answer: JsonAnswer
  try {
    answer = await api.send(method, path, body)
  } catch (error) {
    if (error instanceof NoAnswer) throw new TrackerUnavailable('The tracker did not answer', { cause: error })
    throw error
  }
  const { status } = answer
  if (status >= 200 && status < 300) return answer.body
  const why = oneLine(reasonIn(answer.body), MAX_REASON)
  const said = why === '' ? `${status}` : `${status}: ${why}`
  if (status >= 500 || RETRYABLE.has(status) || isLimited(answer))
    throw new TrackerUnavailable(`The tracker is not available (${said})`, { retryAfterSeconds: waitOf(answer) })
  if (status === 404 || status === 410) throw new IssueMissing(`The tracker has no such issue (${said})`)
  throw new TrackerRefused(`The tracker refused the request (${said})`)
}

/** When a comment was made. */
export function createdIn(text: string): Date {
  const moment = momentIn(text)
  if (!moment) throw new TrackerUnavailable('The tracker gave a time in an unknown form')
  return moment
}

/** GitHub answers 403 when a limit is reached. */
const isLimited = ({ status, headers }: JsonAnswer): boolean =>
  status === 403 && (headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0')

function waitOf({ headers }: JsonAnswer): number {
  const seconds = Number(headers['retry-after'] ?? 0)
  return Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds, LONGEST_WAIT_SECONDS) : 0
}

/** An answer that is not of the schema is no answer: what the request did is unknown. */
export function understood<Schema extends TSchema>(schema: Schema, body: unknown): Static<Schema> {
  if (Value.Check(schema, body)) return body
  throw new TrackerUnavailable('The tracker gave an answer in an unknown shape')
}

/** `sha256=<hex>` over the raw bytes, by any of the secrets. */
export function isSignedSha256(secrets: readonly string[], signature: unknown, body: Buffer): boolean {
  const [, hex] = /^sha256=(.+)$/.exec(typeof signature === 'string' ? signature : '') ?? []
  return hex !== undefined && isSignedBy(secrets, hex, { parts: [body], encoding: 'hex' })
}

/** A header of an id that is safe to store; null without one. */
export function idIn(headers: ReceivedHeaders, name: string): string | null {
  const { [name]: id } = headers
  return typeof id === 'string' && /^[\w.:-]{1,200}$/.test(id) ? id : null
}
