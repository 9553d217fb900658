// The tables of staff's roles against those of docs/interface/identity.md, and what is derived from them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  permissionsOf,
  rolesWith,
  scopesWith,
  STAFF_ROLE_NAMES,
  STAFF_SCOPE_NAMES,
  VENDOR_SCOPES,
} from './staff-roles.ts'

const text = readFileSync(join(import.meta.dirname, '../../../docs/interface/identity.md'), 'utf8')

/** The rows of the table that begins with this cell. */
function rowsOf(head: string): string[][] {
  const [, table = ''] = text.split(`| ${head} |`)
  const lines = table.split('\n').slice(2)
  const rows = lines.slice(0, lines.indexOf(''))
  return rows.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

const worded = (scopes: readonly string[]): string =>
  scopes.length === STAFF_SCOPE_NAMES.length ? 'everything' : scopes.join(', ')

describe('the roles of staff', () => {
  it('are those of docs/interface/identity.md', () => {
    const built = STAFF_ROLE_NAMES.map((role) => {
      const changes = scopesWith('write', permissionsOf([role]))
      const reads = scopesWith('read', permissionsOf([role])).filter((scope) => !changes.includes(scope))
      return [role, changes.length === 0 ? 'nothing' : worded(changes), worded(reads)]
    })
    expect(rowsOf('Role of staff')).toEqual(built)
  })
  it('have the scopes of docs/interface/identity.md', () => {
    const [, ...documented] = text.split('| Scope of staff |')
    expect(documented).toHaveLength(1)
    const rows = (documented[0] ?? '').split('\n').slice(2)
    expect(rows.slice(0, rows.indexOf(''))).toEqual(
      Object.entries(VENDOR_SCOPES).map(([name, governs]) => `| ${name} | ${governs} |`),
    )
  })
})

describe('permissionsOf', () => {
  it('is the union of the roles, and nothing for unknown ones', () => {
    const both = permissionsOf(['support', 'finance'])
    expect(both).toEqual(expect.arrayContaining([...permissionsOf(['support']), ...permissionsOf(['finance'])]))
    expect(new Set(both).size).toBe(both.length)
    expect(permissionsOf(['customer', 'owner', 'toString', '__proto__'])).toEqual([])
  })
  it('reads all that it may change', () => {
    for (const role of STAFF_ROLE_NAMES) {
      const held = permissionsOf([role])
      expect(scopesWith('write', held).filter((scope) => !scopesWith('read', held).includes(scope))).toEqual([])
    }
  })
})

describe('rolesWith', () => {
  it('names the roles that alone have all of them', () => {
    expect(rolesWith(['finances:write'])).toEqual(['finance', 'administrator'])
    expect(rolesWith(['staff:write'])).toEqual(['administrator'])
    expect(rolesWith(['orders:read', 'quotes:read'])).toEqual(['sales', 'finance', 'administrator', 'auditor'])
  })
})
