// Whether transactions that began before a moment are over: what they write becomes visible at their end only.
import { sql } from '#kernel/values/sql.ts'

/** The number of the running transaction; those that began before it and write have lower ones. */
export const transactionId = sql<{ transaction: string }>`select pg_current_xact_id()::text as transaction`

/** True once no transaction with that number, or a lower one, can write any more. */
export const isOverStatement = (transaction: string) => sql<{ is_over: boolean }>`
  select pg_snapshot_xmin(pg_current_snapshot()) > ${transaction}::xid8 as is_over`
