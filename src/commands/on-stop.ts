// Stops the process on a signal or an uncaught error: once, in order and within a time limit. Further signals are
// ignored, so that the embedded database is stopped too.
import type { Logger } from 'pino'

/**
 * For all that a stop does once it has begun: 10 seconds for requests and jobs, and the rest for the embedded database,
 * which writes what is only in memory to its disk. Below the 30 seconds that Kubernetes waits.
 */
export const STOP_MS = 25_000

export type StopOptions = {
  log: Logger
  /** The process exits after this time even if `stop` has not finished. */
  limitMs: number
  stop: () => Promise<void>
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
const ERRORS = ['uncaughtException', 'unhandledRejection'] as const

/** Returns a function that removes the listeners. */
export function onStop({ log, limitMs, stop }: StopOptions): () => void {
  let isStopping = false
  async function end(code: number): Promise<void> {
    isStopping = true
    setTimeout(() => {
      log.fatal('stopping took too long; the process ends as it is')
      process.exit(1)
    }, limitMs)
    try {
      await stop()
      log.info('stopped')
      process.exit(code)
    } catch (error) {
      log.fatal({ err: error }, 'stopping failed')
      process.exit(1)
    }
  }
  function onSignal(signal: string): void {
    if (isStopping) return log.info({ signal }, 'already draining')
    log.info({ signal }, 'draining')
    void end(0)
  }
  function onError(error: unknown): void {
    if (isStopping) return log.error({ err: error }, 'an error that nobody caught while stopping')
    log.fatal({ err: error }, 'the process ends because of an error that nobody caught')
    void end(1)
  }
  for (const name of SIGNALS) process.on(name, onSignal)
  for (const name of ERRORS) process.on(name, onError)
  return () => {
    for (const name of SIGNALS) process.off(name, onSignal)
    for (const name of ERRORS) process.off(name, onError)
  }
}
