// The part of a logger that this folder needs; pino's loggers have it.

export type Log = {
  info: (message: string) => void
  warn: (message: string) => void
  error: (message: string) => void
}
