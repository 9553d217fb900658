// Conditions on the jobs of a kind that name a record in their payload.
import { raw, sql, type Statement } from '#kernel/data/sql.ts'
import type { JobKind } from './job-kinds.ts'

/** The job `j` is of the kind, and its payload names the id. */
export const namesRecord = <Payload>(kind: JobKind<Payload>, field: keyof Payload & string, id: Statement): Statement =>
  sql`j.kind = ${kind.name} and (j.payload ->> ${raw(`'${field}'`)})::bigint = ${id}`

/** No such job is still to run: it is a dead letter, or gone. */
export const isGivenUp = <Payload>(kind: JobKind<Payload>, field: keyof Payload & string, id: Statement): Statement =>
  sql`not exists (select 1 from jobs j where j.parked_at is null and ${namesRecord(kind, field, id)})`
