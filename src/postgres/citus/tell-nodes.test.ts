import { describe, expect, it } from 'vitest'
import { binding, prepare, type Statement, sql } from '#kernel/values/sql.ts'
import type { StatementKind } from './statement-kinds.ts'
import { tellingNodes } from './tell-nodes.ts'
import { BEGIN } from '#kernel/database/transaction.ts'

const BINDING = binding(sql`select set_config('app.organization_id', '1', true)`)
const USERS = sql`select * from users`
const TICKETS = sql`select * from tickets`
const TOLD = 'select titular_distribution.tell_nodes()'

const BOTH = sql`select * from tickets join users u on u.id = author_id`

const kindOf = (statement: Statement): StatementKind =>
  statement === TICKETS ? 'node' : statement === BOTH ? 'both' : 'coordinator'

function transaction(of = async (statements: readonly Statement[]) => statements.map(kindOf)) {
  const sent: string[][] = []
  const run = tellingNodes(
    async (statements) => {
      sent.push(statements.map((statement) => prepare(statement).text))
      return statements.map((statement) => [statement])
    },
    { of, refuse: () => {} },
  )
  return { run, sent }
}

describe('what a transaction has set', () => {
  it('is told to the nodes before the first statement that reaches them, once', async () => {
    const { run, sent } = transaction()
    await run([BEGIN, BINDING, USERS])
    await run([USERS, TICKETS])
    await run([TICKETS])
    expect(sent.map((texts) => texts.indexOf(TOLD))).toEqual([-1, 1, -1])
  })
  it('is told before a statement that reads a node together with the coordinator', async () => {
    const { run, sent } = transaction()
    await run([BEGIN, BINDING, USERS, BOTH])
    expect(sent[0]?.indexOf(TOLD)).toBe(3)
  })
  it('is told again when it was set again', async () => {
    const { run, sent } = transaction()
    await run([BEGIN, BINDING, TICKETS])
    await run([BINDING, TICKETS])
    expect(sent.map((texts) => texts.indexOf(TOLD))).toEqual([2, 1])
  })
  it('is told before all that is asked for where the catalogue cannot be read', async () => {
    const { run, sent } = transaction(() => Promise.reject(new Error('away')))
    await run([BEGIN, BINDING, USERS])
    expect(sent[0]?.indexOf(TOLD)).toBe(2)
  })
  it('adds no rows to those that were asked for', async () => {
    const { run } = transaction()
    expect(await run([BEGIN, BINDING, TICKETS])).toEqual([[BEGIN], [BINDING], [TICKETS]])
  })
})
