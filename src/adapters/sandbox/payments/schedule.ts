// Tasks for later that are started and stopped as a whole: no timer and no request survives stop().

export type Schedule = {
  /** Runs the task after the delay, then after each number of milliseconds that it returns, until null. One per key. */
  plan(key: string, delayMs: number, task: (signal: AbortSignal) => Promise<number | null>): void
  start(): void
  /**
   * Resolves when the running tasks have ended. Planned tasks are dropped: the caller plans them again from its state.
   */
  stop(): Promise<void>
}

/** After an error of the task, such as a full disk. */
const AFTER_ERROR_MS = 60_000

type PlannedTask = { timer: NodeJS.Timeout | null; running: Promise<void> | null }

export function schedule(onError: (error: unknown, key: string) => void): Schedule {
  const planned = new Map<string, PlannedTask>()
  let stopping: AbortController | null = null

  function arm(key: string, delayMs: number, task: (signal: AbortSignal) => Promise<number | null>) {
    const { signal } = stopping ?? { signal: AbortSignal.abort() }
    if (signal.aborted) return
    const entry: PlannedTask = { timer: null, running: null }
    const run = async () => {
      const again = await task(signal).catch((error: unknown) => {
        if (!signal.aborted) onError(error, key)
        return AFTER_ERROR_MS
      })
      planned.delete(key)
      if (again !== null && !signal.aborted) arm(key, again, task)
    }
    entry.timer = setTimeout(() => {
      entry.running = run()
    }, delayMs)
    // A pending delivery must not keep a process alive that has nothing else to do: the next start resumes it.
    entry.timer.unref()
    planned.set(key, entry)
  }

  return {
    plan(key, delayMs, task) {
      if (!planned.has(key)) arm(key, delayMs, task)
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
