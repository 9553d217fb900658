// Figures of the database for /metrics: one statement, run at most every five seconds however often /metrics is read.
// It never lets /metrics fail or wait long: without the database these figures are absent.

const FRESH_MS = 5000
const TIMEOUT_MS = 1000

/** Null when there was no answer in time. One statement runs at a time, so that a stalled database gets no queue. */
export function recentRows<Row>(read: () => Promise<Row[]>, timeoutMs = TIMEOUT_MS): () => Promise<Row[] | null> {
  let cached: { rows: Row[] | null; until: number } | undefined
  let pending: Promise<Row[] | null> | undefined
  async function ask(): Promise<Row[] | null> {
    const rows = await read().catch(() => null)
    cached = { rows, until: Date.now() + FRESH_MS }
    pending = undefined
    return rows
  }
  return async () => {
    if (cached?.rows && Date.now() < cached.until) return cached.rows
    pending ??= ask()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, timeoutMs, null)))
    return Promise.race([pending, late]).finally(() => clearTimeout(timer))
  }
}
