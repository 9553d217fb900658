// An error that stops the start: its message is one line for the operator; the cause is for the log.

export class StartupError extends Error {
  override readonly name = 'StartupError'
}
