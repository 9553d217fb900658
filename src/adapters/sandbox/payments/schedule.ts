// Work for later that is started and stopped as a whole: no timer and no request survives stop().

export type Schedule = {
  /** Runs the work after a while, again after as many milliseconds as it returns, until it returns null. One per key. */
  plan(key: string, delayMs: number, work: (signal: AbortSignal) => Promise<number | null>): void
  start(): void
  /** Resolves when what was running has ended. What was planned is forgotten: the caller's state knows it. */
  stop(): Promise<void>
}

/** After a fault of our own, such as a full disk. */
const AFTER_ERROR_MS = 60_000

type Planned = { timer: NodeJS.Timeout | null; running: Promise<void> | null }

export function schedule(onError: (error: unknown, key: string) => void): Schedule {
  const planned = new Map<string, Planned>()
  let stopping: AbortController | null = null

  function arm(key: string, delayMs: number, work: (signal: AbortSignal) => Promise<number | null>) {
    const { signal } = stopping ?? { signal: AbortSignal.abort() }
    if (signal.aborted) return
    const entry: Planned = { timer: null, running: null }
    const run = async () => {
      const again = await work(signal).catch((error: unknown) => {
        if (!signal.aborted) onError(error, key)
        return AFTER_ERROR_MS
      })
      planned.delete(key)
      if (again !== null && !signal.aborted) arm(key, again, work)
    }
    entry.timer = setTimeout(() => {
      entry.running = run()
    }, delayMs)
    // A pending delivery must not keep a process alive that has nothing else to do: the next start resumes it.
    entry.timer.unref()
    planned.set(key, entry)
  }

  return {
    plan(key, delayMs, work) {
      if (!planned.has(key)) arm(key, delayMs, work)
    },
    start() {
      stopping ??= new AbortController()
    },
    async stop() {
      stopping?.abort()
      stopping = null
      const entries = [...planned.values()]
      for (const { timer } of entries) if (timer) clearTimeout(timer)
      await Promise.all(entries.flatMap(({ running }) => running ?? []))
      planned.clear()
    },
  }
}
