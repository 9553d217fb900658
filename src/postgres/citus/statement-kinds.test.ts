import { describe, expect, it } from 'vitest'
import { binding, type Statement, sql } from '#kernel/values/sql.ts'
import { createStatementKinds } from './statement-kinds.ts'

const CATALOGUE = [
  { name: 'users', isOnNodes: false, isFunction: false },
  { name: 'audit_log', isOnNodes: true, isFunction: false },
  { name: 'erase_from_audit_log', isOnNodes: false, isFunction: true },
]
const kinds = () =>
  createStatementKinds({
    read: async () => [CATALOGUE],
    state: () => ({ name: '', size: 1, open: 1, idle: 1, waiting: 0 }),
    close: async () => {},
  })
const kindOf = async (statement: Statement) => (await kinds().of([statement]))[0]

describe('a statement', () => {
  it.each([
    ['node', sql`select * from audit_log`],
    ['both', sql`select * from audit_log a join users u on u.id = a.actor_id`],
    ['change', sql`update audit_log set reason = null`],
    ['change', sql`select * from audit_log for update`],
    ['change', sql`select erase_from_audit_log(1)`],
    ['change', sql`select titular_distribution.change(1, '{}')`],
    ['coordinator', sql`update users set name = ''`],
    ['coordinator', binding(sql`select 1 from audit_log`)],
  ])('is of the kind %s: %o', async (kind, statement) => {
    expect(await kindOf(statement)).toBe(kind)
  })
  it('that a node has refused still reaches the nodes through the coordinator', async () => {
    const known = kinds()
    const statement = sql`select reason from audit_log`
    expect(await known.of([statement])).toEqual(['node'])
    known.refuse(statement)
    expect(await known.of([statement])).toEqual(['both'])
  })
})
