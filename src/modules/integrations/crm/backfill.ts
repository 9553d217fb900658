// What the CRM lacks, organization by organization, for the command backfill-crm. Nothing is kept of a run: what is in
// the CRM is not due any more, so that a run that was cut off goes on where it was.
import { isBrazil } from '#kernel/values/company.ts'
import type { SystemContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import type { At } from './queries.ts'
import { syncCompany, syncDeal, syncLater } from './sync-jobs.ts'

export type Unsent = {
  organization_id: number
  country: string | null
  has_quotes: boolean
  lacks_company: boolean
  quote_ids: number[]
}

/** `all`: also what is in the CRM, which is compared anew, and what was removed there, which is made again. */
type Batch = { after: number; all: boolean; limit: number }

export const backfill = {
  /** The next organizations, whether they lack something or not. */
  batch: ({ company, provider }: At, { after, all, limit }: Batch) => sql<Unsent>`
    with batch as materialized (
      select o.id, o.country, c.crm_id is null or ${all} as lacks_company from organizations o
        left join crm_companies c on c.organization_id = o.id and c.company = ${company} and c.provider = ${provider}
       where o.id > ${after} and o.deleted_at is null order by o.id limit ${limit})
    select b.id as organization_id, b.country, b.lacks_company, q.organization_id is not null as has_quotes,
           coalesce(q.quote_ids, '{}') as quote_ids
      from batch b left join (
        select s.organization_id, array_agg(s.id order by s.id) filter (where d.quote_id is null or ${all}) as quote_ids
          from quotes s
          left join crm_deals d on d.organization_id = s.organization_id and d.quote_id = s.id
            and d.provider = ${provider}
         where s.organization_id = any(array(select id from batch)) and s.company = ${company} and s.sent_at is not null
         group by s.organization_id) q on q.organization_id = b.id
     order by b.id`,
  total: sql<{ n: number }>`select count(*)::int as n from organizations where deleted_at is null`,
  /** Jobs that are to be done, and dead letters, of all organizations. */
  jobs: sql<{ open: number; dead: number; last_error: string | null }>`
    select count(*) filter (where dead_at is null)::int as open,
           count(*) filter (where dead_at is not null)::int as dead,
           max(last_error) filter (where dead_at is null) as last_error
      from jobs where kind = any(${[syncCompany.name, syncDeal.name]}::text[])`,
}

/** Enqueues the jobs of one organization, and says how many. */
export async function sendUnsent(
  ctx: SystemContext,
  { company }: At,
  unsent: Unsent & { all: boolean },
): Promise<number> {
  const { organization_id, country, has_quotes, lacks_company, quote_ids, all: creates } = unsent
  if (!has_quotes && isBrazil(country ?? '') !== (company === 'entity_br')) return 0
  if (lacks_company) await syncLater(ctx, syncCompany, { company, creates }, organization_id)
  for (const quote_id of quote_ids) await syncLater(ctx, syncDeal, { company, quote_id, creates }, organization_id)
  return (lacks_company ? 1 : 0) + quote_ids.length
}
