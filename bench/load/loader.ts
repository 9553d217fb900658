// One round of load: as fast as the server answers, or at an even pace. Its memory is fixed: connections, bytes of requests and
// a histogram, all made before it starts.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Questions } from '../questions.ts'
import { createHistogram, type Percentiles } from './histogram.ts'
import { type HttpConnection, openConnection } from './http-connection.ts'
import { requestsOf } from './request-bytes.ts'

/** `pauseMs` is how long the process that made the load stalled at most; null when the tool does not tell. */
export type Round = Percentiles & { rate: number; answers: number; pauseMs: number | null }
/** `isSlow`: many requests are unanswered at the end of a round, which are waited for (wrk drops them). */
export type Load = { url: string; seconds: number; connections: number; isSlow?: true }

type Slot = { connection: HttpConnection; next: () => Buffer | undefined; startedAt: number }

const TICK_MS = 1
const LAST_ANSWERS_MS = 20_000

/**
 * `perSecond` is null for as fast as possible. At a pace, latency counts from the tick after which a request was due, so that
 * it includes stalls of the server that keep later requests waiting. An answer other than 2xx fails the round, which would
 * measure something else.
 */
export async function makeLoad(questions: Questions, perSecond: number | null, load: Load): Promise<Round> {
  const { promise, resolve, reject } = Promise.withResolvers<Round>()
  const histogram = createHistogram()
  const delay = monitorEventLoopDelay({ resolution: TICK_MS })
  const newNext = requestsOf(questions)
  const slots = await Promise.all(Array.from({ length: load.connections }, () => openSlot()))
  const idle = [...slots]
  const refusals: Record<number, number> = {}
  let sent = 0
  let isOut = false
  const started = performance.now()
  const end = started + load.seconds * 1000
  const dueAt = (index: number) => (perSecond === null ? 0 : started + (index * 1000) / perSecond)

  async function openSlot(): Promise<Slot> {
    const next = newNext()
    const listener = { answered: (status: number) => answered(slot, status), failed: reject }
    const slot: Slot = { connection: await openConnection(load.url, listener), next, startedAt: 0 }
    return slot
  }
  function answered(slot: Slot, status: number): void {
    if (status >= 200 && status < 300) histogram.record(performance.now() - slot.startedAt)
    else refusals[status] = (refusals[status] ?? 0) + 1
    idle.push(slot)
    sendDue()
  }
  function sendDue(): void {
    const now = performance.now()
    isOut ||= now >= end
    while (!isOut && idle.length > 0 && dueAt(sent) <= now) {
      // In turn, since the server closes a connection of which it hears nothing for a minute.
      const slot = idle.shift()
      const request = slot?.next()
      if (!slot || !request) return void (isOut = true)
      slot.startedAt = perSecond === null ? now : Math.min(now, dueAt(sent) + TICK_MS)
      sent++
      slot.connection.send(request)
    }
    if (isOut && idle.length === slots.length) finish(now)
  }
  function finish(now: number): void {
    const answers = histogram.count()
    if (answers === 0 || Object.keys(refusals).length > 0)
      return reject(new Error(`${answers} answers of ${load.url}, and by status ${JSON.stringify(refusals)}`))
    const rate = answers / ((now - started) / 1000)
    resolve({ rate, answers, ...histogram.percentiles(), pauseMs: delay.max / 1e6 })
  }
  const ticks = setInterval(sendDue, TICK_MS)
  const deadline = setTimeout(
    () => reject(new Error(`${load.url} has not answered all`)),
    load.seconds * 1000 + LAST_ANSWERS_MS,
  )
  delay.enable()
  sendDue()
  return promise.finally(() => {
    clearInterval(ticks)
    clearTimeout(deadline)
    delay.disable()
    for (const { connection } of slots) connection.close()
  })
}
