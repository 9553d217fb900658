// What stops a start: one line that tells the operator what to do; the cause is for the log.

export class StartupError extends Error {
  override readonly name = 'StartupError'
}
