// The order in which workers claim due jobs: by turns of the organizations, what a person waits for first.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '#kernel/values/sql.ts'
import { probe, type WorkerScene, workerScene } from '#test/scenes/workers.ts'
import { AS_A_CLAIM, claim, claimByTurn, readAsSystem } from './claim.ts'
import { systemJob } from './jobs.ts'
import { giveTurns, MOST_TURNS } from './turns.ts'

let at: WorkerScene
beforeEach(async () => void (at = await workerScene()))
afterEach(() => at.close())

const [FLOODING, OTHER] = [1, 2]
const KINDS = ['probe/urgent', 'probe/ordinary']
const claiming = (limit = 1, urgentFirst = true) => ({
  store: at.store,
  lease: randomUUID(),
  now: at.clock.now,
  leaseSeconds: 60,
  kinds: KINDS,
  urgent: ['probe/urgent'],
  limit,
  urgentFirst,
})
const claimed = async (limit?: number, urgentFirst?: boolean) => claim(at.database, claiming(limit, urgentFirst))

const kindsClaimed = async (limit: number, urgentFirst: boolean) =>
  (await claimed(limit, urgentFirst)).map(({ kind }) => kind).toSorted()

describe('a claim', () => {
  it('takes one job of each organization, then the next of each', async () => {
    await at.add('ordinary', null, 20, FLOODING)
    await claimed(2)
    await at.add('ordinary', null, 3, OTHER)
    const order = (await claimed(1)).concat(await claimed(1), await claimed(1), await claimed(1), await claimed(1))
    expect(order.map(({ organization_id: id }) => id).filter((id) => id === OTHER)).toHaveLength(2)
  })
  it('takes what a person waits for first, or what nobody waits for, and fills up with the others', async () => {
    await at.add('ordinary', null, 3, FLOODING)
    await at.add('urgent', null, 3, FLOODING)
    expect(await kindsClaimed(1, false)).toEqual(['probe/ordinary'])
    expect(await kindsClaimed(4, true)).toEqual(['probe/ordinary', 'probe/urgent', 'probe/urgent', 'probe/urgent'])
    expect(await kindsClaimed(4, true)).toEqual(['probe/ordinary'])
  })
  it('counts jobs without an organization by their kind', async () => {
    await at.add('ordinary', null, 20)
    await claimed()
    await at.query(`insert into jobs (kind, run_at) values ('probe/another', $1)`, [at.clock.now])
    const options = { ...claiming(2), kinds: [...KINDS, 'probe/another'] }
    expect((await claim(at.database, options)).map(({ kind }) => kind)).toContain('probe/another')
  })
  it('finds what is free behind more jobs than get their turns at once', async () => {
    await at.add('ordinary', 'one key', MOST_TURNS + 1, FLOODING)
    await claimed()
    await at.add('ordinary', null, 1, OTHER)
    expect(await claimed()).toMatchObject([{ organization_id: OTHER }])
  })
  it('gives a job that failed the next turn of its organization', async () => {
    const done: (number | null)[] = []
    let failures = 0
    const kind = systemJob(probe('ordinary'), {
      before: async (io) => {
        if (io.organizationId === FLOODING && failures++ < 10) throw new Error('not yet')
        done.push(io.organizationId)
      },
    })
    const worker = at.workerOf([kind], 1)
    await at.add('ordinary', null, 10, FLOODING)
    await worker.drain()
    at.advance(10)
    await at.add('ordinary', null, 1, OTHER)
    await worker.drain()
    expect(done.indexOf(OTHER)).toBeLessThanOrEqual(2)
    expect(done).toHaveLength(11)
  })
  it('reads as little with 20,000 due jobs as with 20', async () => {
    const few = await reads(20)
    expect(few).toBeGreaterThan(0)
    expect(await reads(20_000)).toBeLessThan(3 * few)
  })
})

type Plans = { 'QUERY PLAN': { Plan: Record<string, unknown> }[] }

/** How many pages of tables and indexes a claim of one job reads once so many have their turns. */
async function reads(jobs: number): Promise<number> {
  await at.query('delete from jobs')
  await at.add('ordinary', null, jobs, FLOODING)
  for (let turns = 0; turns < jobs; turns += MOST_TURNS) await readAsSystem(at.database, giveTurns(claiming()))
  await at.query('vacuum analyze jobs')
  const explained = sql<Plans>`explain (analyze, buffers, format json) ${claimByTurn(claiming())}`
  const [row] = await readAsSystem(at.database, explained, [AS_A_CLAIM])
  return Number(row?.['QUERY PLAN'][0]?.Plan['Shared Hit Blocks'])
}

describe('a worker', () => {
  it('goes on with the other jobs however many of those come that a person waits for', async () => {
    let urgent = 0
    let urgentBefore: number | undefined
    const kinds = [
      systemJob(probe('urgent', true), {
        run: async () => {
          urgent++
          if (urgentBefore === undefined) await at.add('urgent', null, 1, urgent)
        },
      }),
      systemJob(probe('ordinary'), { run: async () => void (urgentBefore ??= urgent) }),
    ]
    await at.add('urgent', null, 5, FLOODING)
    await at.add('ordinary', null, 1, OTHER)
    await at.workerOf(kinds, 1).drain()
    expect(urgentBefore).toBeLessThanOrEqual(3)
    expect(await at.jobsLeft()).toEqual([])
  })
  it('shares with others: none is run twice, and each organization has its turn', async () => {
    const done: (number | null)[] = []
    const kinds = [systemJob(probe('ordinary'), { before: async (io) => void done.push(io.organizationId) })]
    const workers = [1, 2, 3].map(() => at.workerOf(kinds, 2))
    await at.add('ordinary', null, 2 * MOST_TURNS, FLOODING)
    for (const organizationId of [2, 3, 4]) await at.add('ordinary', null, 10, organizationId)
    for (let left = 1; left > 0; left = (await at.jobsLeft()).length)
      await Promise.all(workers.map((worker) => worker.drain()))
    expect(done).toHaveLength(2 * MOST_TURNS + 30)
    // The last of the others stands about where ten of each organization have been run, and not behind the flood.
    const last = Math.max(...[2, 3, 4].map((id) => done.lastIndexOf(id)))
    expect(last).toBeLessThan(MOST_TURNS)
  })
})
