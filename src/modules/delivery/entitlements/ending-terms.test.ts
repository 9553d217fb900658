// What the search for terms that end reads: those that are due, however many others there are.
import { Client } from 'pg'
import { expect, inject, it } from 'vitest'
import { startApp } from '#test/harness/app.ts'
import { explain, optionsOf } from '#test/harness/explain.ts'
import { acceptedQuote, buyerOf } from '#test/scenes/commerce.ts'
import { entitlement } from '#test/scenes/licenses.ts'
import { endingTerms } from './ending-terms.ts'

/** The plan of a cluster shows no rows of its nodes. */
const { isDistributed } = inject('postgres')

const DUE = 10

it.skipIf(isDistributed)('reads few rows beside terms that end later, or for which a quote was drafted', async () => {
  const app = await startApp()
  const client = new Client({ connectionString: app.database.url, options: optionsOf('titular_system') })
  try {
    const acme = await app.world.organization()
    // Of two organizations by turns: rows that lie in the order of their organizations favor indexes that begin with it.
    for (const one of [acme, await app.world.organization()]) {
      await acceptedQuote(app, one, await buyerOf(one))
      await entitlement(one)
    }
    const { now } = app.clock
    await app.database.query(
      `insert into entitlements (organization_id, code, class, product_name, company, order_id, created_at, expires_at, renewal_drafted_for)
       select o.organization_id, 'PLG-202601' || (10000 + n), 'PLG', 'Other ' || n, 'entity_br', o.id, $1::timestamptz - interval '1 year',
              e.at, case when n % 4 < 2 then e.at end
         from generate_series(1, 10000) n,
              lateral (select $1::timestamptz + case when n % 4 < 2 or n <= 2 * $2 then interval '20 days' else interval '90 days' end as at) e,
              lateral (select organization_id, id from orders order by id offset n % 2 limit 1) o
        order by n`,
      [now, DUE],
    )
    await app.database.query('vacuum analyze entitlements')
    await client.connect()
    const statement = endingTerms({ now, settings: app.service.ports.settings })
    for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
      const asking = { role: 'titular_system', organizationId: acme.id, userId: acme.owner.userId, mode } as const
      const { rows, scanned } = await explain(client, statement, asking)
      expect(scanned).toEqual([])
      // Beside them the days that each legal entity has set, twice.
      expect(rows).toBe(DUE + 4)
    }
  } finally {
    await client.end()
    await app.close()
  }
})
