// The part of a logger that this folder needs; a pino logger is one.

export type Log = {
  info: (message: string) => void
  warn: (message: string) => void
  error: (message: string) => void
}
