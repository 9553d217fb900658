// Kinds of jobs: name in the jobs table and type of the payload, declared once beside the handler and imported where
// the job is enqueued, so that neither a name nor a payload can be misspelt.
import { Type, type Static, type TObject, type TProperties } from 'typebox'
import { compileCheck } from '#kernel/values/validation/validation.ts'
import { Id } from '#kernel/values/schema.ts'
import { PermanentFailure } from './permanent-failure.ts'

export type JobKind<Payload = never> = {
  /** `quotes/expire`: the area, then the verb. */
  readonly name: string
  /** A person waits for what it does, so it comes before the others; the kinds that share a key say the same. */
  readonly isUrgent: boolean
  /** Checks the payload of a row; throws PermanentFailure when another version of the code wrote another shape. */
  read(payload: unknown): Payload
}

type Urgency = Partial<Pick<JobKind, 'isUrgent'>>

/**
 * `jobKind('refunds/send', { refund_id: Id })`. Payloads hold ids and what cannot be read again, never whole records; a
 * periodic job has `{}`.
 */
export function jobKind<const Properties extends TProperties>(
  name: `${string}/${string}`,
  properties: Properties,
  { isUrgent = false }: Urgency = {},
): JobKind<Static<TObject<Properties>>> {
  type Payload = Static<TObject<Properties>>
  const check = compileCheck(Type.Object(properties, { additionalProperties: false }))
  return {
    name,
    isUrgent,
    read(payload) {
      const problems = check(payload)
      if (problems === null) return payload as Payload
      const listed = Object.entries(problems).map(([field, problem]) => `${field} ${problem}`)
      throw new PermanentFailure(`the payload of ${name} is not what this version takes: ${listed.join(', ')}`)
    },
  }
}

/** The payload of a consumer's job. */
export type EventPayload = Static<TObject<typeof eventPayload>>
const eventPayload = { event_id: Id, resource_id: Id }

export const eventJobKind = (name: `${string}/${string}`, urgency?: Urgency): JobKind<EventPayload> =>
  jobKind(name, eventPayload, urgency)
