// How policies are put so that shards can have them; what the shards then admit is tested on a cluster (cluster.test.ts).
import { describe, expect, it } from 'vitest'
import { closed, folded, onShard, type StoredPolicy } from './policies.ts'

const policy = (values: Partial<StoredPolicy>): StoredPolicy => ({
  table: 'notes',
  name: 'tenant',
  isRestrictive: false,
  command: 'ALL',
  role: 'titular_app',
  using: 'own',
  check: null,
  ...values,
})

describe('the policies of a role', () => {
  it('become one for each command, of which all must hold', () => {
    const secret = policy({ name: 'secret', isRestrictive: true, command: 'SELECT', using: 'open' })
    expect(folded([policy({}), secret]).map(({ name, using, check }) => [name, using, check])).toEqual([
      ['titular_app_select', '((own)) and (open)', null],
      ['titular_app_insert', null, '((own))'],
      ['titular_app_update', '((own))', '((own))'],
      ['titular_app_delete', '((own))', null],
    ])
  })
  it('allow what one of the permissive ones allows, and nothing without one', () => {
    const shared = policy({ name: 'shared', command: 'SELECT', using: 'shared' })
    const secret = policy({ name: 'secret', isRestrictive: true, using: 'open', check: 'true' })
    expect(folded([shared, policy({ command: 'SELECT' }), secret])).toMatchObject([
      { command: 'SELECT', using: '((shared) or (own)) and (open)' },
    ])
    expect(folded([secret])).toEqual([])
  })
})

const SEEN = "((mode <> 'own') OR ( SELECT true\n   FROM tickets t\n  WHERE ((t.id = notes.ticket_id) AND (t.open))))"

describe('a subquery', () => {
  it('finds nothing on the table', () => {
    expect(closed(SEEN)).toBe("((mode <> 'own') OR (now() IS NULL))")
    expect(closed(`${SEEN} AND ${SEEN}`)).not.toContain('SELECT')
  })
  it('cannot be closed where it is denied', () => {
    expect(() => closed(`(NOT ${SEEN.slice(SEEN.indexOf('( SELECT'))}`)).toThrow('denies a subquery')
  })
  it('reads the shard beside', () => {
    const shards = new Map([
      ['notes', 'notes_7'],
      ['tickets', 'tickets_8'],
    ])
    expect(onShard(SEEN, 'notes', shards)).toBe(
      "((mode <> 'own') OR ( SELECT true\n   FROM tickets_8 t\n  WHERE ((t.id = notes_7.ticket_id) AND (t.open))))",
    )
  })
  it('cannot read a table that is not distributed', () => {
    expect(() => onShard(SEEN, 'notes', new Map([['notes', 'notes_7']]))).toThrow('tickets is not distributed')
  })
})
