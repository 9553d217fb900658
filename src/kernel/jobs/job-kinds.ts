// Kinds of jobs: the name in the jobs table and what the payload holds, declared once beside whoever works on it and
// imported by whoever enqueues it, so that neither a name nor a payload can be misspelt.
import { Type, type Static, type TObject, type TProperties } from 'typebox'
import { compileCheck } from '#kernel/http/validation.ts'
import { Id } from '#kernel/values/schema.ts'
import { PermanentFailure } from './permanent-failure.ts'

export type JobKind<Payload = never> = {
  /** `quotes/expire`: the area, then what is done. */
  readonly name: string
  /** The payload of a row, or PermanentFailure: a row of another version of the code is not worked on by guessing. */
  read(payload: unknown): Payload
}

/** `jobKind('refunds/send', { refund_id: Id })`. Payloads carry ids and what cannot be read again, never whole records; a periodic job has `{}`. */
export function jobKind<const Properties extends TProperties>(
  name: `${string}/${string}`,
  properties: Properties,
): JobKind<Static<TObject<Properties>>> {
  type Payload = Static<TObject<Properties>>
  const check = compileCheck(Type.Object(properties, { additionalProperties: false }))
  return {
    name,
    read(payload) {
      const problems = check(payload)
      if (problems === null) return payload as Payload
      const listed = Object.entries(problems).map(([field, problem]) => `${field} ${problem}`)
      throw new PermanentFailure(`the payload of ${name} is not what this version takes: ${listed.join(', ')}`)
    },
  }
}

/** What a consumer's job is enqueued with, by the statement that emits the event. */
export type EventPayload = Static<TObject<typeof eventPayload>>
const eventPayload = { event_id: Id, resource_id: Id }

export const eventJobKind = (name: `${string}/${string}`): JobKind<EventPayload> => jobKind(name, eventPayload)
