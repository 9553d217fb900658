// Long limits of waiting for the database: on a busy machine a test takes longer, but does not fail.
import type { Waits } from '#kernel/database/answer-timeouts.ts'
import type { Login, Logins } from '#kernel/database/database.ts'

export const LONG_MS = 60_000
export const LONG_WAITS: Waits = { connectMs: LONG_MS, answerMs: LONG_MS }

const LIMITS = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout']

/** The same logins; the limits that PostgreSQL itself sets are as long. */
export const waitingLong = <Given extends Logins>(logins: Given): Given => ({
  ...logins,
  titular_app: withLongLimits(logins.titular_app),
  titular_system: withLongLimits(logins.titular_system),
})

const withLongLimits = ({ options = '', ...login }: Login): Login => ({
  ...login,
  options: [options, ...LIMITS.map((name) => `-c ${name}=${LONG_MS}`)].join(' ').trim(),
})
