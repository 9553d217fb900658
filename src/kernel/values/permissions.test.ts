// The tables of roles and scopes against those of docs/interface/general.md, and what is derived from them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  capabilityOf,
  FLAGS,
  holds,
  open,
  org,
  orgAtLeast,
  ROLE_NAMES,
  ROLES,
  SCOPE_NAMES,
  SCOPES,
  scopeOfFlag,
  signed,
  staff,
  user,
  vendor,
  weightOf,
} from './permissions.ts'

const text = readFileSync(join(import.meta.dirname, '../../../docs/interface/general.md'), 'utf8')

const yes = (is: boolean): string => (is ? 'yes' : 'no')

/** The rows of the table that begins with this cell. */
function rowsOf(head: string): string[][] {
  const [, table = ''] = text.split(new RegExp(`^\\| ${head} \\|`, 'm'))
  const lines = table.split('\n').slice(2)
  const end = lines.findIndex((line) => !line.startsWith('|'))
  return lines.slice(0, end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
}

describe('roles', () => {
  it('are those of docs/interface/general.md, with their weights and powers', () => {
    const MANAGES = { all: 'all', below: 'those below', none: 'no' }
    const built = ROLE_NAMES.map((name) => {
      const { weight, managesMembers, altersOrganization, deletesOrganization } = ROLES[name]
      return [name, String(weight), MANAGES[managesMembers], yes(altersOrganization), yes(deletesOrganization)]
    })
    const documented = rowsOf('Role').map((cells) => cells.map((cell) => cell.replace(', within its scopes', '')))
    expect(documented).toEqual(built)
    for (const name of ROLE_NAMES) expect(weightOf(name)).toBe(ROLES[name].weight)
  })
})

describe('scopes', () => {
  it('are those of docs/interface/general.md, with their flags and capabilities', () => {
    const built = SCOPE_NAMES.map((name) => [name, SCOPES[name].flag, capabilityOf(name)])
    expect(rowsOf('Scope').map(([name, , flag, capability]) => [name, flag, capability])).toEqual(built)
    expect(FLAGS).toEqual(SCOPE_NAMES.map((name) => SCOPES[name].flag))
  })
  it('are found by their flags', () => {
    for (const name of SCOPE_NAMES) expect(scopeOfFlag(SCOPES[name].flag)).toBe(name)
  })
  it('imply entitlements where docs/interface/general.md says so', () => {
    const bringing = SCOPE_NAMES.filter((name) => SCOPES[name].implies.length > 0)
    expect(bringing.map((name) => [name, SCOPES[name].implies])).toEqual([
      ['licenses', ['entitlements']],
      ['tickets', ['entitlements']],
    ])
    expect(text).toMatch(/`can_manage_tickets` and\s+`can_manage_licenses` include `entitlements`/)
  })
  it('are held by name, or all of them by `*`', () => {
    expect(holds(['quotes', 'orders'], 'orders')).toBe(true)
    expect(holds(['*'], 'orders')).toBe(true)
    expect(holds(['quotes'], 'orders')).toBe(false)
    expect(holds([], 'orders')).toBe(false)
  })
})

describe('the access of a route', () => {
  it('is a value', () => {
    expect([open, user].map(({ kind }) => kind)).toEqual(['open', 'user'])
    expect(staff('orders')).toEqual({ kind: 'staff', scopes: ['orders'] })
    expect(vendor('jobs', 'audit')).toEqual({ kind: 'vendor', scopes: ['jobs', 'audit'] })
    expect(signed('payment')).toEqual({ kind: 'signed', source: 'payment' })
    expect(org('quotes', 'finances')).toEqual({
      kind: 'organization',
      scopes: ['quotes', 'finances'],
      atLeast: 'member',
    })
    expect(orgAtLeast('admin', 'organization')).toEqual({
      kind: 'organization',
      scopes: ['organization'],
      atLeast: 'admin',
    })
    expect(orgAtLeast('guest')).toEqual({ kind: 'organization', scopes: [], atLeast: 'guest' })
  })
})
