// PostgreSQL repeats values in its errors ("Key (email)=(ana@example.com) already exists"). They may be personal data,
// and an error goes into the log, into the row of a failed job and to whoever sees that job.
import type { DatabaseError } from 'pg'

const WITH_VALUES = ['detail', 'hint', 'where', 'internalQuery'] as const

/** Data that PostgreSQL cannot read or compute with: the only class whose messages quote values. */
const DATA_EXCEPTION = /^22/
/** From the first quotation mark to the last, since a value may have some too. */
const QUOTED = /"[^]*"/

/** Leaves what tells the cause: code, constraint, table, column and the message with `…` for what it quotes. */
export function dropValues(error: DatabaseError): void {
  for (const name of WITH_VALUES) delete error[name]
  if (!DATA_EXCEPTION.test(error.code ?? '')) return
  const { message, stack } = error
  error.message = message.replace(QUOTED, '"…"')
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message)
}
