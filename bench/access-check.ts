// What the access check costs in PostgreSQL: prepared, one at a time over one connection, beside `select 1` sent the same way.
import { Client } from 'pg'
import { accessStatement } from '#kernel/access/access-check.ts'
import { org } from '#kernel/values/permissions.ts'
import { prepare, sql } from '#kernel/values/sql.ts'
import { sessionOptions } from '../src/postgres/roles.ts'
import { cpuOfTrees, hasProc } from './cpu.ts'
import type { Owner } from './data.ts'
import { median, upTo } from './report.ts'
import type { Report, Run } from './run.ts'

const TARGET_MICROS = 60
const ROUNDS = 3

type Sent = { name: string; text: string; values: unknown[] }

export async function measureAccessCheck(run: Run): Promise<Report> {
  if (!hasProc)
    return { verdicts: [], lines: ['The CPU time of the access check is measured on Linux only.'], figures: null }
  const stage = (await run.stages()).at(-1)
  const owners = stage?.data.owners ?? []
  const client = new Client({ connectionString: stage?.data.url, options: sessionOptions('titular_app') })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const measure = microsOf(client, rows[0]?.pid ?? 0, run.quick ? 2000 : 5000)
    const figures = { selectOne: [] as number[], accessCheck: [] as number[] }
    for (let round = 0; round < ROUNDS; round++) {
      figures.selectOne.push(await measure(() => ({ name: 'one', text: 'select 1', values: [] })))
      figures.accessCheck.push(await measure((index) => accessOf(owners[index % owners.length])))
    }
    const one = `select 1 beside it ${median(figures.selectOne).toFixed(0)}`
    const what = `CPU of PostgreSQL for the access check (${one})`
    return { verdicts: [upTo(what, median(figures.accessCheck), TARGET_MICROS, 'µs')], lines: [], figures }
  } finally {
    await client.end()
  }
}

/** CPU time of the backend for each of so many statements. */
const microsOf = (client: Client, pid: number, count: number) => async (next: (index: number) => Sent) => {
  await client.query(next(0))
  const before = cpuOfTrees([pid])
  for (let index = 0; index < count; index++) await client.query(next(index))
  return (cpuOfTrees([pid]) - before) / count
}

/** A user and a session have the id of the organization that they own. */
function accessOf(owner: Owner | undefined): Sent {
  if (!owner) throw new Error('no owners')
  const { organizationId: id } = owner
  const credential = { kind: 'bearer' as const, userId: id, sessionId: id, mayBeStaff: false }
  const { name, text, values } = prepare(
    accessStatement({
      credential,
      access: org('entitlements'),
      organizationId: id,
      writes: false,
      needsEntry: sql`false`,
      staffMfa: false,
      hiddenScopes: sql`'{}'::text[]`,
      needsPerson: false,
      ip: null,
      now: new Date(),
    }),
  )
  return { name, text, values: [...values] }
}
