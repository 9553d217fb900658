import { describe, expect, it } from 'vitest'
import { prepare, type Statement, sql } from '#kernel/values/sql.ts'
import type { StatementKind, StatementKinds } from './statement-kinds.ts'
import { AS_OF_ONE_MOMENT, BEGIN, COMMIT } from '#kernel/database/transaction.ts'
import { committingTogether } from './two-phases.ts'

const READ = sql`select title from tickets`
const CHANGE = sql`update tickets set title = 'a'`
const TOGETHER = 'delete from titular_distribution.two_phases where id = 0'

const kindOf = (statement: Statement): StatementKind =>
  statement === CHANGE ? 'change' : statement === READ ? 'node' : 'coordinator'
const kinds: StatementKinds = { of: async (statements) => statements.map(kindOf), refuse: () => {} }

function transaction(known: StatementKinds = kinds) {
  const sent: string[] = []
  const run = committingTogether(async (statements) => {
    const texts = statements.map((statement) => prepare(statement).text)
    sent.push(...texts)
    return texts.map((text) => [text])
  }, known)
  return { run, sent }
}

describe('a transaction on a cluster', () => {
  it('is committed in two phases when it may have changed what is on a node', async () => {
    const { run, sent } = transaction()
    await run([BEGIN, READ])
    await run([CHANGE])
    await run([READ, COMMIT])
    expect(sent.slice(-3)).toEqual([TOGETHER, expect.stringContaining('advisory'), 'commit'])
    expect(sent.filter((text) => text === TOGETHER)).toHaveLength(1)
  })
  it('gives the rows of the statements that were asked for', async () => {
    const { run } = transaction()
    const rows = await run([BEGIN, CHANGE, COMMIT])
    expect(rows).toEqual([BEGIN, CHANGE, COMMIT].map((statement) => [prepare(statement).text]))
  })
  it('is committed as it is when it has only read', async () => {
    const { run, sent } = transaction()
    await run([BEGIN, READ])
    await run([COMMIT])
    expect(sent).not.toContain(TOGETHER)
  })
  it('is committed as it is when it can only read', async () => {
    const { run, sent } = transaction()
    await run([BEGIN, AS_OF_ONE_MOMENT])
    await run([CHANGE, COMMIT])
    expect(sent).not.toContain(TOGETHER)
  })
  it('is committed in two phases when it is not known what it has changed', async () => {
    const { run, sent } = transaction({ ...kinds, of: () => Promise.reject(new Error('away')) })
    await run([BEGIN, READ, COMMIT])
    expect(sent).toContain(TOGETHER)
  })
})
