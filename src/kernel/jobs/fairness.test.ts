// Random organizations, backlogs, failures and crashes against a model of what is fair, which knows nothing of turns: of each
// other organization, a job waits for no more jobs than its own organization had before it, and two.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { seeds } from '#test/harness/seeds.ts'
import { type WorkerScene, workerScene } from '#test/scenes/workers.ts'
import { claim, failStatement, finishStatement, readAsSystem } from './claim.ts'
import type { JobRow } from './jobs.ts'

let at: WorkerScene
beforeEach(async () => void (at = await workerScene()))
afterEach(() => at.close())

const KINDS = ['urgent', 'ordinary']
const STEPS = 120
const LEASE_SECONDS = 60
const RETRY_SECONDS = 5

/** One waiting for a claim: from when the job became due until a claim takes it. */
type Wait = {
  id: number
  org: number
  kind: string
  key: string | null
  due: number
  /** How many of its organization waited before it; null until a claim begins after it became due. */
  ahead: number | null
  /** How many of each other organization were claimed before it. */
  passed: Map<number, number>
}
type Leased = { row: JobRow; lease: string; wait: Wait; until: number }
type Model = {
  /** A number below the given one, which depends on the seed only. */
  upTo: (below: number) => number
  waiting: Map<number, Wait>
  leased: Map<number, Leased>
  claims: number
  unfair: string[]
}

function modelOf(seed: number): Model {
  let state = seed
  const upTo = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  return { upTo, waiting: new Map(), leased: new Map(), claims: 0, unfair: [] }
}

const now = () => at.clock.now.getTime()

async function add({ waiting, upTo }: Model, org: number, count: number): Promise<void> {
  const kind = KINDS[upTo(2)] ?? ''
  const key = upTo(4) === 0 ? `${kind} ${org} ${upTo(2)}` : null
  for (const { id } of await at.add(kind, key, count, org))
    waiting.set(id, { id, org, kind, key, due: now(), ahead: null, passed: new Map() })
}

/** What is due when a claim begins, in the order in which it became due, waits from then on. */
function beginWaits({ waiting }: Model): void {
  const due = [...waiting.values()].filter((wait) => wait.due <= now())
  for (const wait of due.toSorted((one, other) => one.due - other.due || one.id - other.id))
    wait.ahead ??= due.filter(
      (one) => one !== wait && one.org === wait.org && one.kind === wait.kind && one.ahead !== null,
    ).length
}

async function claimSome(model: Model, workers: number): Promise<void> {
  beginWaits(model)
  const { upTo } = model
  const made = await Promise.all(Array.from({ length: workers }, () => claimOne(1 + upTo(3), upTo(4) > 0)))
  const taken = made.flatMap(({ lease, rows }) => rows.map((row) => ({ lease, row })))
  if (new Set(taken.map(({ row }) => row.id)).size < taken.length) model.unfair.push('a job was claimed twice at once')
  for (const { row } of taken) model.unfair.push(...wrongWith(model, row.id))
  for (const one of taken) take(model, one)
  model.claims += taken.length
}

async function claimOne(limit: number, urgentFirst: boolean) {
  const lease = randomUUID()
  const kinds = KINDS.map((kind) => `probe/${kind}`)
  const { store, clock } = at
  const options = { store, lease, now: clock.now, leaseSeconds: LEASE_SECONDS, kinds, urgent: ['probe/urgent'] }
  return { lease, rows: await claim(at.database, { ...options, limit, urgentFirst }) }
}

function wrongWith({ waiting, leased }: Model, id: number): string[] {
  const again = leased.get(id)
  if (again) return again.until < now() ? [] : [`job ${id} was claimed while another worker had it`]
  const wait = waiting.get(id)
  if (!wait) return [`job ${id} was claimed after it had ended`]
  const unfinished = [...waiting.values(), ...[...leased.values()].map((one) => one.wait)]
  if (wait.key !== null)
    return unfinished
      .filter((one) => one.key === wait.key && one.id < id)
      .map((one) => `job ${id} was claimed before ${one.id} with its key`)
  const most = (wait.ahead ?? 0) + 2
  return [...wait.passed]
    .filter(([, passed]) => passed > most)
    .map(([org, passed]) => `job ${id} waited for ${passed} of organization ${org}, not for ${most}`)
}

function take({ waiting, leased }: Model, { lease, row }: { lease: string; row: JobRow }): void {
  const wait = leased.get(row.id)?.wait ?? waiting.get(row.id)
  if (!wait) return
  if (waiting.delete(row.id) && wait.key === null)
    for (const one of waiting.values())
      if (one.ahead !== null && one.kind === wait.kind && one.org !== wait.org)
        one.passed.set(wait.org, (one.passed.get(wait.org) ?? 0) + 1)
  leased.set(row.id, { row, lease, wait, until: now() + LEASE_SECONDS * 1000 })
}

async function end({ waiting, leased }: Model, { row, lease, wait }: Leased, fails: boolean): Promise<void> {
  leased.delete(row.id)
  if (!fails) return void (await readAsSystem(at.database, finishStatement(row, lease, at.clock.now)))
  const next = new Date(now() + RETRY_SECONDS * 1000)
  const failure = { message: 'no', attempts: row.attempts, isDeadLetter: false, next, now: at.clock.now }
  await readAsSystem(at.database, failStatement(row.id, lease, failure))
  waiting.set(row.id, { ...wait, due: next.getTime(), ahead: null, passed: new Map() })
}

it.each(seeds([1], [2, 3, 4]))('no job waits for the backlog of another organization (%i)', async (seed) => {
  const model = modelOf(seed)
  const { upTo, waiting, leased, unfair } = model
  await add(model, 1, 40)
  for (let step = 0; step < STEPS || waiting.size + leased.size > 0; step++) {
    const act = upTo(12)
    const goesOn = step < STEPS
    const [one] = leased.values()
    if (goesOn && act < 2) await add(model, 1 + upTo(6), 1 + upTo(12))
    // The workers of what is leased have died.
    else if (goesOn && act === 2) at.advance(LEASE_SECONDS + 1)
    else if (act === 3) at.advance(RETRY_SECONDS)
    else if (act < 8 && one && one.until >= now())
      await end(model, one, goesOn && one.wait.key === null && upTo(5) === 0)
    else await claimSome(model, 1 + upTo(2))
  }
  expect(unfair).toEqual([])
  expect(model.claims).toBeGreaterThan(STEPS)
  expect(await at.jobsLeft()).toEqual([])
})
