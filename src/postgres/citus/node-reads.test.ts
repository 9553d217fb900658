import { DatabaseError } from 'pg'
import { expect, it, vi } from 'vitest'
import { binding, prepare, type Statement, sql } from '#kernel/values/sql.ts'
import { DatabaseUnavailable } from '#kernel/values/errors.ts'
import { NoAnswer } from '#kernel/database/answer-timeouts.ts'
import { createStatementKinds } from './statement-kinds.ts'
import { createClusterReads } from './node-reads.ts'
import type { BoundSettings } from './tell-nodes.ts'

const ACCESS = binding(sql`select 'ok' as verdict`)
const QUOTES = sql`select * from quotes`

const CATALOGUE = [
  { name: 'users', isOnNodes: false },
  { name: 'jobs', isOnNodes: false },
  { name: 'quotes', isOnNodes: true },
  { name: 'orders', isOnNodes: true },
  { name: 'audit_log', isOnNodes: true },
]

type Answer = (texts: string[]) => unknown[][]
const state = () => ({ size: 1, open: 1, idle: 1, waiting: 0 })

/** A cluster whose coordinator and node answer with their own name; `fail` is what the node throws. */
function cluster({ bound = '7', isCoordinator = false } = {}) {
  const asked: string[] = []
  const logged: string[] = []
  const failing: { with: Error | null } = { with: null }
  const connections = (name: string, answer: Answer) => ({
    async read(statements: readonly Statement[]) {
      const texts = statements.map((statement) => prepare(statement).text)
      asked.push(`${name}: ${texts.map(shortened).join('; ')}`)
      return answer(texts)
    },
    state,
    close: async () => {},
  })
  const accessChecks = connections('access', (texts) =>
    texts.map((text) => {
      if (text.includes('pg_class')) return CATALOGUE
      if (text.includes('pg_dist_placement')) return [{ host: 'far', port: 5433, isCoordinator }]
      return text.includes('current_setting') ? [{ 'app.organization_id': bound }] : [{ verdict: 'ok' }]
    }),
  )
  const reads = createClusterReads({
    accessChecks,
    kinds: createStatementKinds(accessChecks),
    coordinator: connections('coordinator', (texts) => texts.map(() => ['of the coordinator'])),
    readsAt: ({ host }) =>
      connections(host, (texts) => {
        if (failing.with) throw failing.with
        return texts.map(() => ['of the node'])
      }),
    log: { info: (_, message) => void logged.push(message), error: (_, message) => void logged.push(message) },
  })
  return { reads, asked, logged, failing }
}

const shortened = (text: string) => (/pg_class|pg_dist_placement|current_setting|set_config/.exec(text) ?? [text])[0]

const failure = (code: string) => Object.assign(new DatabaseError('no', 2, 'error'), { code })

it('checks access at the coordinator and reads at the node, whose place is asked for once', async () => {
  const { reads, asked } = cluster()
  expect(await reads.read([ACCESS, QUOTES])).toEqual([[{ verdict: 'ok' }], ['of the node']])
  asked.splice(0)
  await reads.read([ACCESS, QUOTES])
  expect(asked).toEqual([
    `access: ${prepare(ACCESS).text}; current_setting`,
    `far: set_config; ${prepare(QUOTES).text}`,
  ])
  expect(reads.answered()).toEqual({ node: 2, coordinator: 0 })
})

it.each([
  ['no access check', [QUOTES]],
  ['a table of the coordinator', [ACCESS, sql`select * from quotes join users on true`]],
  ['a change', [ACCESS, sql`insert into audit_log (at) values (null)`]],
  ['a lock', [ACCESS, sql`select 1 from quotes for update`]],
  ['what sets anew what policies read', [ACCESS, binding(sql`select 'all'`), QUOTES]],
])('leaves %s to the coordinator', async (_, statements) => {
  const { reads, asked } = cluster()
  expect(await reads.read(statements)).toEqual(statements.map(() => ['of the coordinator']))
  expect(asked.filter((one) => one.startsWith('far'))).toEqual([])
})

it('asks the access check alone on connections of which the nodes know nothing', async () => {
  const { reads, asked } = cluster()
  await reads.read([ACCESS])
  expect(asked).toEqual([`access: ${prepare(ACCESS).text}`])
})

it('answers as the coordinator where nobody was admitted, or where it has the organization itself', async () => {
  const refused = cluster({ bound: '' })
  expect((await refused.reads.read([ACCESS, QUOTES]))[1]).toEqual(['of the coordinator'])
  const own = cluster({ isCoordinator: true })
  expect(await own.reads.read([ACCESS, QUOTES])).toEqual([[{ verdict: 'ok' }], ['of the coordinator']])
})

it('leaves a node alone for a while that is away', async () => {
  const { reads, asked, logged, failing } = cluster()
  failing.with = new DatabaseUnavailable(new Error('refused'))
  for (let read = 0; read < 3; read++) expect((await reads.read([ACCESS, QUOTES]))[1]).toEqual(['of the coordinator'])
  expect(asked.filter((one) => one.startsWith('far'))).toHaveLength(1)
  expect(logged).toEqual(['the node far:5433 is not read from; the coordinator is asked instead'])
})

it('has one read try whether the node is back', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  const { reads, asked, failing } = cluster()
  const triesOf = async () => {
    asked.splice(0)
    await Promise.all([1, 2, 3].map(() => reads.read([ACCESS, QUOTES])))
    return asked.filter((one) => one.startsWith('far')).length
  }
  await reads.read([ACCESS, sql`select * from orders`])
  failing.with = new DatabaseUnavailable(new Error('refused'))
  expect(await triesOf()).toBe(3)
  clock.mockReturnValue(6000)
  expect(await triesOf()).toBe(1)
  clock.mockReturnValue(12_000)
  failing.with = null
  expect(await triesOf()).toBe(1)
  expect(await triesOf()).toBe(3)
  clock.mockRestore()
})

it('asks the coordinator from then on for what a node cannot answer, and the node for all else', async () => {
  const { reads, asked, failing } = cluster()
  failing.with = failure('42P01')
  expect((await reads.read([ACCESS, QUOTES]))[1]).toEqual(['of the coordinator'])
  failing.with = null
  expect((await reads.read([ACCESS, QUOTES]))[1]).toEqual(['of the coordinator'])
  expect(asked.filter((one) => one.startsWith('far'))).toHaveLength(1)
  expect((await reads.read([ACCESS, sql`select * from orders`]))[1]).toEqual(['of the node'])
})

it.each(['22P02', '57014'])(
  'does not ask the coordinator again after %s, which it would give as well',
  async (code) => {
    const { reads, asked, failing } = cluster()
    failing.with = failure(code)
    await expect(reads.read([ACCESS, QUOTES])).rejects.toThrow(failing.with)
    expect(asked.filter((one) => one.startsWith('coordinator'))).toEqual([])
  },
)

const BOUND = { 'app.organization_id': '7' } as BoundSettings
const LOCK = sql`select 1 from users for update`
const JOB = sql`insert into jobs (kind) values ('x')`
const CHANGE = sql`select titular_distribution.change(7, '{}')`

/** The groups of a transaction; what each of them asked, and of whom. */
async function locked(
  groups: Statement[][],
  options: Parameters<typeof cluster>[0] & { lockedAfter?: number } = {},
  fail: Error | null = null,
) {
  const { reads, asked, failing } = cluster(options)
  failing.with = fail
  let lockedAfter = options.lockedAfter ?? 0
  const run = reads.forLocked(
    async (statements) => {
      asked.push(`transaction: ${statements.map((one) => prepare(one).text).join('; ')}`)
      return statements.map(() => ['of the transaction'])
    },
    { bound: BOUND, answerMs: 1000, isLocked: () => lockedAfter-- <= 0 },
  )
  const answers = []
  for (const group of groups) answers.push(await run(group))
  return { answers: answers.map((rows) => rows.map(([row]) => row)), asked }
}

it('asks the node for what a transaction reads before it changes something there', async () => {
  const { answers } = await locked([[QUOTES, LOCK, QUOTES], [JOB, QUOTES], [sql`commit`], [CHANGE], [QUOTES]])
  expect(answers).toEqual([
    ['of the node', 'of the transaction', 'of the node'],
    ['of the transaction', 'of the node'],
    ['of the transaction'],
    ['of the transaction'],
    ['of the transaction'],
  ])
})
it.each([
  ['a change in the same group', [QUOTES, CHANGE]],
  ['a lock of its rows', [QUOTES, sql`select 1 from quotes for update`]],
  ['what sets anew what policies read', [binding(sql`select 'all'`), QUOTES]],
])('asks everything in the transaction from %s on', async (_, group) => {
  const { answers } = await locked([group, [QUOTES]])
  expect(answers).toEqual([group.map(() => 'of the transaction'), ['of the transaction']])
})
it('asks in the transaction before it has locked the organization, and after a change that it made then', async () => {
  const { answers } = await locked([[QUOTES], [QUOTES]], { lockedAfter: 1 })
  expect(answers).toEqual([['of the transaction'], ['of the node']])
  const changed = await locked([[CHANGE], [QUOTES]], { lockedAfter: 1 })
  expect(changed.answers).toEqual([['of the transaction'], ['of the transaction']])
})
it('does not ask again what the node has not answered in time', async () => {
  await expect(locked([[QUOTES]], {}, new NoAnswer('late'))).rejects.toThrow(NoAnswer)
})
it('asks in the transaction while the node is away, or where the coordinator has the organization', async () => {
  const away = await locked([[QUOTES, LOCK]], {}, new DatabaseUnavailable('away'))
  expect(away.answers).toEqual([['of the transaction', 'of the transaction']])
  expect((await locked([[QUOTES]], { isCoordinator: true })).answers).toEqual([['of the transaction']])
})
it('fails with the error of the node that the transaction would give as well', async () => {
  await expect(locked([[QUOTES]], {}, failure('22012'))).rejects.toMatchObject({ code: '22012' })
})
