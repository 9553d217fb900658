// The log of a loop that needs the database: while it is away each pass fails, which is logged once, then every half
// minute, and once when it is over.

const REPEATED_MS = 30_000

export type OutageLog = { succeeded: () => void; failed: (error: unknown) => void }

export type OutageLogger = {
  info(details: object, message: string): void
  error(details: object, message: string): void
}

export function outageLog(log: OutageLogger, messages: { failed: string; over: string }): OutageLog {
  let loggedAt: number | null = null
  return {
    succeeded() {
      if (loggedAt !== null) log.info({}, messages.over)
      loggedAt = null
    },
    failed(error) {
      const now = performance.now()
      if (loggedAt !== null && now - loggedAt < REPEATED_MS) return
      loggedAt = now
      log.error({ err: error }, messages.failed)
    },
  }
}
