// Faults by wish: what is written to a system of the sandbox with `sandbox: refuse`, `sandbox: unavailable` or
// `sandbox: unclear` in one of its texts is treated so, with the outcomes that the tax sandbox has.
import { createHash } from 'node:crypto'
import type { Answer, Exchange } from './payments/exchange.ts'
import { jsonAnswer } from './system.ts'

/**
 * `refuse`: always, with the given answer. `unavailable`: 503 the first time, and nothing is done. `unclear`: done, but
 * answered 500 the first time. After a restart each is a first time again.
 */
const WISH = /sandbox: (refuse|unavailable|unclear)\b/

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
    if (wish === 'unavailable') return jsonAnswer(503, { message: 'Service Unavailable' })
    const answer = await handle(exchange)
    return answer.status < 300 ? jsonAnswer(500, { message: 'Internal Server Error' }) : answer
  }
}
