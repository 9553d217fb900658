// How far an earlier start has come with the demo.
import { sql } from '#kernel/values/sql.ts'
import type { DemoService } from './demo-service.ts'

/**
 * A product of the demo's first step, and how many organizations it makes. The last step is a document of the last one.
 */
type Demo = { sku: string; organizations: number }

/**
 * `none`: nothing of it is there. `partial`: an earlier start ended while it loaded the demo. `done`: it was loaded, or
 * the database has organizations of its own.
 */
export async function demoProgress(service: DemoService, demo: Demo): Promise<'none' | 'partial' | 'done'> {
  const [found] = await service.transactions.read<{
    organizations: number
    has_products: boolean
    has_document: boolean
  }>(
    null,
    sql`with o as materialized (select id from organizations limit ${demo.organizations + 1})
        select (select count(*) from o)::int as organizations,
          exists (select 1 from products where sku = ${demo.sku}) as has_products,
               exists (select 1 from documents where organization_id = (select max(id) from o)) as has_document`,
  )
  const { organizations = 0, has_products: hasProducts = false, has_document: hasDocument = false } = found ?? {}
  if (!hasProducts) return organizations === 0 ? 'none' : 'done'
  if (organizations > demo.organizations || (organizations === demo.organizations && hasDocument)) return 'done'
  return 'partial'
}
