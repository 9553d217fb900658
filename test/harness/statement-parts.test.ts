// The check of test/harness/statements.ts finds faults in each part of a statement.
import { describe, expect, it } from 'vitest'
import { unbound } from './statement-parts.ts'

const TABLES = new Set(['tickets', 'entitlements', 'jobs'])

/** One of each part that a statement can have; each gets a fault in turn. */
const STATEMENT = `
  with before as (select t as was from tickets t where t.organization_id = $1 and t.id = $2 for update of t),
  after as materialized (
    update tickets t set status = $3, note = ')' from before b where t.organization_id = $1 and t.id = $2 returning t.*),
  gone as (delete from jobs j using after a where j.organization_id = $1 and j.id = a.id returning j.id),
  enqueued as (insert into jobs (organization_id, kind) select $1, 'tickets/mail' from after)
  select a.id, (select count(*) from entitlements where organization_id = $1) as n,
         coalesce(e.code, lower(f.code)) as code
    from after a
    left join entitlements e on e.organization_id = $1 and e.id = a.entitlement_id, entitlements as f
   where f.organization_id = $1
   union all select id, 0, '' from tickets where organization_id = $1 and not exists (
     select 1 from jobs k where k.organization_id = $1)`

describe('a part that names a tenant table without its organization', () => {
  it('is not reported when each part names it', () => {
    expect(unbound(STATEMENT, TABLES)).toEqual([])
    expect(unbound('select id from users where id = $1 -- from tickets', TABLES)).toEqual([])
    expect(unbound(`select 'from tickets' as text, tickets.id from users as tickets`, TABLES)).toEqual([])
  })
  it('is found in every part', () => {
    const places = [...STATEMENT.matchAll(/\b(\w\.)?organization_id\b/g)]
    expect(places).toHaveLength(9)
    for (const { index, 0: word } of places) {
      const planted =
        STATEMENT.slice(0, index) + STATEMENT.slice(index).replace(word, word.replace('organization_', ''))
      expect(unbound(planted, TABLES), planted.slice(index - 40, index + 20)).not.toEqual([])
    }
  })
  it('is found in a table that another part joins', () => {
    const wrong =
      'select t.id from tickets t join entitlements e on e.id = t.entitlement_id where t.organization_id = $1'
    expect(unbound(wrong, TABLES)).toEqual([expect.stringMatching(/^entitlements in: select/)])
  })
})
