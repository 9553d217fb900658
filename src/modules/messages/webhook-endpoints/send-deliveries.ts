// Sends what an endpoint has to get: first attempts one by one in their order, and beside them one by one what is tried
// again, so that an endpoint has two requests at most at a time.
import type { Statement } from '#kernel/values/sql.ts'
import { standardHeaders } from '#ports/standard-webhooks.ts'
import type { Catalogue } from '#modules/messages/events/catalogue.ts'
import type { WebhookAnswer, WebhookSender } from '#ports/webhook-sender.ts'
import { type Attempt, webhookId } from './delivery.ts'
import { signingKeys } from './endpoint-keys.ts'
import { mayGet } from './messages.ts'
import { DISABLED_AFTER_DAYS, nextAttempt, outcomeOf, pauseAfter } from './retry-plan.ts'
import {
  type ClaimedEndpoint,
  disableStatement,
  type DueDelivery,
  type Record,
  recordStatement,
  giveUpStatement,
  type Release,
  releaseStatement,
} from './sender-queries.ts'
import type { DisabledReason } from './webhook-endpoint.ts'

/** No request begins later than this after the claim: with the time-out of a request it ends within the lease. */
const STARTS_WITHIN_MS = 20_000
export const LEASE_SECONDS = 60
/** What has been sent is written down after this time at the latest, or at the end. */
const RECORD_AFTER_MS = 500
const DAY_MS = 86_400_000

export type Sending = {
  read: <Row>(statement: Statement<Row>) => Promise<Row[]>
  sender: WebhookSender
  catalogue: Catalogue
  secretKey: string
  clock: () => Date
  /** The process ends: no further request begins. */
  isStopping: () => boolean
}

type Lane = Sending & {
  endpoint: ClaimedEndpoint
  state: Release
  /** Made and not yet written down. */
  records: Record[]
  disable: DisabledReason | null
  isHalted: boolean
  begunAt: number
  recordedAt: number
}

/** A crash before the results are written sends again, under the same `webhook-id`. */
export async function sendDeliveries(
  sending: Sending,
  { endpoint, lease }: { endpoint: ClaimedEndpoint; lease: string },
  due: readonly DueDelivery[],
): Promise<void> {
  const { endpoint_id, failures, failing_since } = endpoint
  const state = { endpoint_id, failures, failing_since, last_success_at: null, blocked_until: null }
  const begunAt = sending.clock().getTime()
  const lane: Lane = {
    ...sending,
    endpoint,
    state,
    records: [],
    disable: null,
    isHalted: false,
    begunAt,
    recordedAt: begunAt,
  }
  try {
    const permitted = await permittedOf(lane, due)
    await Promise.all([
      oneByOne(
        lane,
        permitted.filter(isFirst).toSorted((one, other) => Number(one.event_id) - Number(other.event_id)),
      ),
      oneByOne(
        lane,
        permitted.filter((delivery) => !isFirst(delivery)),
      ),
    ])
  } finally {
    await record(lane)
    const [released] = await lane.read(releaseStatement(lease, lane.state))
    // Not released when the endpoint got another address meanwhile: what the old one answered disables nothing.
    if (released && lane.disable !== null) await lane.read(disableStatement(endpoint_id, lane.disable, lane.clock()))
  }
}

const isFirst = ({ step, event_id }: DueDelivery): boolean => step === 0 && event_id !== null

/** Without those that were made when somebody with other scopes had set the endpoint up: they are given up. */
async function permittedOf(lane: Lane, due: readonly DueDelivery[]): Promise<readonly DueDelivery[]> {
  const { catalogue, endpoint } = lane
  const { true: permitted = [], false: refused = [] } = Object.groupBy(due, ({ type }) =>
    mayGet(catalogue, type, endpoint) ? 'true' : 'false',
  )
  if (refused.length === 0) return permitted
  const ids = refused.map(({ id }) => id)
  await lane.read(giveUpStatement(ids, lane.clock()))
  if (endpoint.scopes === null) lane.disable = 'not_a_member'
  return permitted
}

const elapsedSince = ({ clock }: Lane, moment: number): number => clock().getTime() - moment

async function oneByOne(lane: Lane, deliveries: readonly DueDelivery[]): Promise<void> {
  for (const delivery of deliveries) {
    // A test goes to an endpoint that is paused, too.
    if (lane.isHalted && delivery.event_id !== null) return
    if (lane.isStopping() || elapsedSince(lane, lane.begunAt) > STARTS_WITHIN_MS) return
    await attempt(lane, delivery)
    if (elapsedSince(lane, lane.recordedAt) > RECORD_AFTER_MS) await record(lane)
  }
}

async function attempt(lane: Lane, delivery: DueDelivery): Promise<void> {
  const { endpoint, secretKey, sender, clock, state } = lane
  const at = clock()
  const keys = signingKeys(secretKey, endpoint, at)
  const headers = {
    ...standardHeaders(keys, webhookId(delivery), delivery.body, at),
    'content-type': 'application/json',
    'user-agent': 'Titular-Webhooks/1',
  }
  const answer = await sender.send({ url: endpoint.url, headers, body: delivery.body })
  const now = clock()
  lane.records.push(recordOf(delivery, { answer, at, now, headers }))
  if (outcomeOf(answer) === 'delivered') {
    Object.assign(state, { failures: 0, failing_since: null, last_success_at: now.toISOString(), blocked_until: null })
    return
  }
  state.failures++
  state.failing_since ??= now.toISOString()
  lane.disable ??= disablingReason(answer, state.failing_since, now)
  const pause = lane.disable === null ? pauseAfter(answer, state.failures, now) : untilDisabled(now)
  state.blocked_until = pause?.toISOString() ?? state.blocked_until
  lane.isHalted ||= pause !== null
}

function disablingReason(answer: WebhookAnswer, failingSince: string, now: Date): DisabledReason | null {
  if (outcomeOf(answer) === 'gone') return 'gone'
  return now.getTime() - Date.parse(failingSince) >= DISABLED_AFTER_DAYS * DAY_MS ? 'failing' : null
}

/** Time for the job. */
const untilDisabled = (now: Date): Date => new Date(now.getTime() + 60_000)

type AttemptResult = { answer: WebhookAnswer; at: Date; now: Date; headers: Attempt['request_headers'] }

function recordOf({ id, step, event_id }: DueDelivery, { answer, at, now, headers }: AttemptResult): Record {
  const { status, error, headers: response_headers, body: response_body, durationMs: duration_ms } = answer
  const outcome = outcomeOf(answer)
  // A test is tried once.
  const next = outcome === 'failed' && event_id !== null ? nextAttempt(step, answer, now) : null
  return {
    id,
    state: outcome === 'delivered' ? 'delivered' : next === null ? 'failed' : 'pending',
    step: next === null ? step : step + 1,
    next_attempt_at: next?.toISOString() ?? null,
    attempt: {
      at: at.toISOString(),
      duration_ms,
      request_headers: headers,
      status,
      error,
      response_headers,
      response_body,
    },
  }
}

async function record(lane: Lane): Promise<void> {
  const records = lane.records.splice(0)
  lane.recordedAt = lane.clock().getTime()
  if (records.length > 0) await lane.read(recordStatement(records))
}
