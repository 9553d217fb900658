// All SQL of the CRM area. Which company and deal belong to whom are no records of the organization: they have no
// audit.
import { inOrganizations, type Only } from '#kernel/data/lists/across.ts'
import { page } from '#http/route.ts'
import { isOneOf, raw, sql, when } from '#kernel/values/sql.ts'
import type { Company } from '#kernel/values/schema.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import { COMPANY_FIELDS, type CompanyValues } from '#ports/crm.ts'
import type { AgreedValues } from './compare.ts'
import { type CrmDealFilters, crmDealListing } from './deal.ts'
import { CrmProposal, type CrmProposalFilters, crmProposalListing } from './proposal.ts'

/** A company or a deal of ours in the CRM of a legal entity. */
export type At = { company: Company; provider: string }

export type SyncedOrganization = CompanyValues & {
  verification_status: string | null
  deleted_at: string | null
  /** Null if the CRM never had a company of it. */
  crm_id: string | null
  agreed: AgreedValues
  removed_at: string | null
  has_quotes: boolean
}

export type SyncedQuote = {
  number: string
  status: string
  total: string
  currency: string
  valid_until: string
  accepted_at: string | null
  sent_at: string | null
  organization_name: string
  deleted_at: string | null
  company_id: string | null
  deal_id: string | null
  sent: unknown
  stage: string | null
}

export type SentDeal = {
  company: Company
  quote_id: number
  provider: string
  crm_id: string
  sent: object
  stage: string
  crm_stage: string
}

const fields = raw(COMPANY_FIELDS.map((field) => `o.${field}`).join(', '))
const proposalColumns = raw(
  Object.keys(CrmProposal.properties)
    .map((column) => `p.${column}`)
    .join(', '),
)

export const crm = {
  organization: (org: number, { company, provider }: At) => sql<SyncedOrganization>`
    select ${fields}, o.verification_status, o.deleted_at, c.crm_id, coalesce(c.agreed, '{}') as agreed, c.removed_at,
           exists (select 1 from quotes q where q.organization_id = ${org} and q.company = ${company}
                      and q.sent_at is not null) as has_quotes
      from organizations o
      left join crm_companies c on c.organization_id = ${org} and c.company = ${company} and c.provider = ${provider}
     where o.organization_id = ${org} and o.id = ${org}`,
  quote: (org: number, id: number, { company, provider }: At) => sql<SyncedQuote>`
    select q.number, q.status, q.total, q.currency, q.valid_until, q.accepted_at, q.sent_at,
      o.name as organization_name,
           o.deleted_at, c.crm_id as company_id, d.crm_id as deal_id, d.sent, d.stage
      from quotes q join (select * from organizations where organization_id = ${org} and id = ${org}) o on true
      left join crm_companies c on c.organization_id = ${org} and c.company = ${company} and c.provider = ${provider}
       and c.removed_at is null
      left join crm_deals d on d.organization_id = ${org} and d.quote_id = q.id and d.provider = ${provider}
     where q.organization_id = ${org} and q.id = ${id} and q.company = ${company}`,
  companyOfQuote: (org: number, id: number) => sql<{ company: Company; is_linked: boolean }>`
    select q.company, exists (select 1 from crm_companies c where c.organization_id = ${org} and c.company = q.company
                                 and c.removed_at is null) as is_linked
      from quotes q where q.organization_id = ${org} and q.id = ${id} and q.sent_at is not null`,
  openProposals: (org: number, company: Company) => sql<CrmProposal>`
    select ${proposalColumns} from crm_proposals p
     where p.organization_id = ${org} and p.company = ${company} and p.status = 'open'`,
  proposal: (id: number) => sql<CrmProposal>`
    select ${proposalColumns} from crm_proposals p join organizations o on o.id = p.organization_id
     where p.id = ${id} and o.deleted_at is null`,
  /** `agreed` is added to what was agreed before. */
  rememberCompany: (
    org: number,
    { company, provider }: At,
    link: { crmId: string; agreed: AgreedValues; now: Date },
  ) => sql`
    insert into crm_companies as c (organization_id, company, provider, crm_id, agreed, synced_at)
    values (${org}, ${company}, ${provider}, ${link.crmId}, ${storableJson(link.agreed)}::jsonb, ${link.now})
    on conflict (organization_id, company) do update
       set provider = excluded.provider, crm_id = excluded.crm_id, removed_at = null, synced_at = excluded.synced_at,
           agreed = case when c.provider = excluded.provider then c.agreed else '{}' end || excluded.agreed`,
  /** With the agreement gone, a company that comes back is compared anew. */
  companyRemoved: (org: number, company: Company, now: Date) => sql`
    update crm_companies set removed_at = ${now}, agreed = '{}', synced_at = ${now}
     where organization_id = ${org} and company = ${company} and removed_at is null`,
  agree: (org: number, company: Company, agreed: AgreedValues) => sql`
    update crm_companies set agreed = agreed || ${storableJson(agreed)}::jsonb
     where organization_id = ${org} and company = ${company}`,
  rememberDeal: (org: number, deal: SentDeal, now: Date) => sql`
    insert into crm_deals (organization_id, quote_id, company, provider, crm_id, sent, stage, crm_stage, synced_at)
    values (${org}, ${deal.quote_id}, ${deal.company}, ${deal.provider}, ${deal.crm_id},
      ${storableJson(deal.sent)}::jsonb,
            ${deal.stage}, ${deal.crm_stage}, ${now})
    on conflict (organization_id, quote_id) do update
       set provider = excluded.provider, crm_id = excluded.crm_id, sent = excluded.sent, stage = excluded.stage,
           crm_stage = excluded.crm_stage, removed_at = null, synced_at = excluded.synced_at`,
  dealRemoved: (org: number, quoteId: number, now: Date) => sql`
    update crm_deals set removed_at = ${now}, synced_at = ${now}
     where organization_id = ${org} and quote_id = ${quoteId} and removed_at is null`,
  companiesOf: (company: Company, ids: readonly string[]) => sql<{ organization_id: number }>`
    select organization_id from crm_companies where company = ${company} and crm_id = any(${ids}::text[])`,
  dealsOf: (company: Company, ids: readonly string[]) => sql<{ organization_id: number; quote_id: number }>`
    select organization_id, quote_id from crm_deals where company = ${company} and crm_id = any(${ids}::text[])`,
  waitingJob: (org: number, { kind, key, payload }: { kind: string; key: string; payload: object }) => sql`
    select id from jobs
     where organization_id = ${org} and kind = ${kind} and key = ${key} and payload = ${storableJson(payload)}::jsonb
       and lease is null and dead_at is null limit 1`,
  proposals: (query: CrmProposalFilters, only: Only) =>
    page(query, {
      columns: sql`${proposalColumns}, o.name as organization_name`,
      id: 'p.id',
      listing: crmProposalListing,
      from: sql`from crm_proposals p join organizations o on o.id = p.organization_id where o.deleted_at is null
        ${inOrganizations('p.organization_id', query, only)}
        ${when(query.company, (company) => sql`and p.company = ${company}`)}
        ${isOneOf('p.status', query.status)}`,
    }),
  deals: (query: CrmDealFilters, only: Only) =>
    page(query, {
      columns: sql`d.id, d.organization_id, o.name as organization_name, d.quote_id, q.number as quote_number,
        q.status as quote_status, d.company, d.crm_id, d.stage, d.crm_stage, d.stage <> d.crm_stage as differs,
        d.removed_at, d.synced_at`,
      id: 'd.id',
      listing: crmDealListing,
      from: sql`from crm_deals d join organizations o on o.id = d.organization_id
        left join quotes q on q.organization_id = d.organization_id and q.id = d.quote_id
        where o.deleted_at is null
        ${inOrganizations('d.organization_id', query, only)}
        ${when(query.company, (company) => sql`and d.company = ${company}`)}
        ${when(query.differs, (differs) =>
          differs
            ? sql`and d.stage <> d.crm_stage`
            : sql`and d.stage =
          d.crm_stage`,
        )}`,
    }),
}
