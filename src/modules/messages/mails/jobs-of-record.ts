// Conditions on the jobs of a kind that name a record in their payload.
import { raw, sql, type Statement } from '#kernel/values/sql.ts'
import type { JobKind } from '#kernel/data/job-kinds.ts'

/** The job `j` is of the kind, and its payload names the id. */
export const namesRecord = <Payload>(kind: JobKind<Payload>, field: keyof Payload & string, id: Statement): Statement =>
  sql`j.kind = ${kind.name} and ${idIn(field)} = ${id}`

const idIn = (field: string) => raw(`(j.payload ->> '${field}')::bigint`)

/**
 * No such job is still to run: it is a dead letter, or gone. The subquery names nothing from outside, since a cluster
 * keeps jobs elsewhere than the records.
 */
export const isGivenUp = <Payload>(kind: JobKind<Payload>, field: keyof Payload & string, id: Statement): Statement =>
  sql`${id} not in (select ${idIn(field)} from jobs j where j.dead_at is null and j.kind = ${kind.name}
    and ${idIn(field)} is not null)`
