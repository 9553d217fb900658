// Faults by wish: what is written to a system of the sandbox with `sandbox: refuse`, `sandbox: unavailable`, … in one
// of its texts is treated so, with the outcomes that the tax sandbox has, and what else real systems do.
import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Answer, Exchange } from './payments/exchange.ts'
import { jsonAnswer } from './system.ts'

/**
 * `refuse`: always, with the given answer. The others only the first time, which after a restart it is again:
 * `unavailable` and `limited`: nothing is done; `unclear` and `late`: it is done, but answered 500, or too late.
 */
const WISH = /sandbox: (refuse|unavailable|limited|unclear|late)\b/

/** What a limit that was reached asks to wait. */
const RETRY_AFTER_SECONDS = 30
/** Adapters wait ten seconds. */
const LATE_MS = 15_000

const UNAVAILABLE = jsonAnswer(503, { message: 'Service Unavailable' })
const LIMITED = jsonAnswer(429, { message: 'Too Many Requests' }, { 'retry-after': String(RETRY_AFTER_SECONDS) })
const FAILED = jsonAnswer(500, { message: 'Internal Server Error' })

export function withWishes(
  refused: Answer,
  handle: (exchange: Exchange) => Promise<Answer>,
): (exchange: Exchange) => Promise<Answer> {
  const known = new Set<string>()
  const isFirst = ({ method, path, body }: Exchange): boolean => {
    const digest = createHash('sha256')
      .update(`${method} ${path} `)
      .update(body ?? '')
      .digest('hex')
    if (known.has(digest)) return false
    known.add(digest)
    return true
  }
  return async (exchange) => {
    const text = exchange.method === 'GET' ? '' : Buffer.from(exchange.body ?? []).toString()
    const [, wish] = WISH.exec(text) ?? []
    if (wish === undefined) return handle(exchange)
    if (wish === 'refuse') return refused
    if (!isFirst(exchange)) return handle(exchange)
    if (wish === 'unavailable') return UNAVAILABLE
    if (wish === 'limited') return LIMITED
    const answer = await handle(exchange)
    // Whoever asked has gone by then, and nothing else waits for it.
    if (wish === 'late') await setTimeout(LATE_MS, undefined, { ref: false })
    return wish === 'unclear' && answer.status < 300 ? FAILED : answer
  }
}
