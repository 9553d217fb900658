// Jobs of a kind that no code of this process knows, such as those of a version that was rolled back: /admin/jobs
// lists them and the log reports them. They stay claimable: a process of a newer version that runs beside this one may
// know them.
import { type Statement, sql } from '#kernel/values/sql.ts'

const QUERY_MS = 60_000
const LOG_MS = 1_800_000
const MARKED_AT_ONCE = 1000
const MESSAGE = 'No code of this version knows this kind of job'

type Options = {
  /** As the system: jobs are of all organizations. */
  read: <Row>(statement: Statement<Row>) => Promise<Row[]>
  clock: () => Date
  log: { error(details: object, message: string): void }
}

/** Called with each claim; queries once a minute at most and logs each kind once every half hour at most. */
export function unknownKindReporter({ read, clock, log }: Options, known: readonly string[]): () => Promise<void> {
  let queriedAt = -Infinity
  const loggedAt = new Map<string, number>()
  async function report(now: Date): Promise<void> {
    for (const { kind, count } of await read(reportStatement(known, now))) {
      if (now.getTime() - (loggedAt.get(kind) ?? -Infinity) < LOG_MS) continue
      loggedAt.set(kind, now.getTime())
      log.error({ kind, jobs: count }, 'no code of this version knows this kind of job')
    }
  }
  return async () => {
    const now = clock()
    if (now.getTime() - queriedAt < QUERY_MS) return
    queriedAt = now.getTime()
    await report(now).catch((error: unknown) =>
      log.error({ err: error }, 'jobs of unknown kinds could not be looked for'),
    )
  }
}

type UnknownKind = { kind: string; count: number }

/** Jobs due for a minute, as /admin/jobs lists them: a process of another version has claimed its own by then. */
function reportStatement(known: readonly string[], now: Date): Statement<UnknownKind> {
  const late = sql`run_at <= ${new Date(now.getTime() - QUERY_MS)} and dead_at is null
    and (leased_until is null or leased_until < ${now}) and kind <> all(${known}::text[])`
  return sql<UnknownKind>`
    with marked as (
      update jobs set last_error = ${MESSAGE}
       where id in (select id from jobs where ${late} and last_error is distinct from ${MESSAGE}
                     order by id limit ${MARKED_AT_ONCE} for update skip locked))
    select kind, count(*) as count from jobs where ${late} group by kind order by kind`
}
