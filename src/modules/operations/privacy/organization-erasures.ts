// All SQL of the erasures of organizations.
import type { ErasureRules } from './organization-erasure.ts'
import { page } from '#http/route.ts'
import type { Acting } from '#kernel/data/context.ts'
import type { Configured } from '#ports/ports.ts'
import { numberIn } from '#ports/settings-in-force.ts'
import { isOneOf, join, raw, sql, when } from '#kernel/values/sql.ts'
import { erasureDue } from './queries.ts'
import { OrganizationErasure, type OrganizationErasureFilters } from './organization-erasure.ts'

const columns = raw(Object.keys(OrganizationErasure.properties).join(', '))

type ErasurePeriods = Record<'erasure_days' | 'fiscal_years' | 'events_days', number>
export type RecordCount = { name: string; count: number }

export const organizationErasures = {
  page: ({ status, organization_id: of, ...query }: OrganizationErasureFilters) =>
    page(query, {
      columns: sql`${columns}`,
      from: sql`from organization_erasures where true ${when(of, (id) => sql`and organization_id = ${id}`)}
        ${isOneOf('status', status)}`,
    }),
  latestOf: (org: number) => sql<OrganizationErasure>`
    select ${columns} from organization_erasures where organization_id = ${org} order by id desc limit 1`,
  periods: (settings: Configured) => sql<ErasurePeriods>`
    select ${numberIn(settings, 'erasure_days')} as erasure_days, ${numberIn(settings, 'fiscal_years')} as fiscal_years,
           ${numberIn(settings, 'events_days')} as events_days`,
  organization: (org: number) => sql<{ is_deleted: boolean; is_erased: boolean }>`
    select deleted_at is not null as is_deleted, erased_at is not null as is_erased
      from organizations where organization_id = ${org} and id = ${org}`,
  obstacles: (org: number, { obstacles }: Pick<ErasureRules, 'obstacles'>) => sql<RecordCount>`
    select name, count from (${join(
      Object.entries(obstacles).map(
        ([name, where]) =>
          sql`select ${name}::text as name, count(*)::int as count from ${raw(where)} and organization_id = ${org}`,
      ),
      ' union all ',
    )}) found where count > 0`,
  rows: (org: number, { working, fiscal }: ErasureRules) =>
    sql<RecordCount>`${join(
      [...working, ...fiscal, 'quotes', 'audit_log', 'events'].map(
        (name) =>
          sql`select ${name}::text as name, count(*)::int as count from ${raw(name)} where organization_id = ${org}`,
      ),
      ' union all ',
    )}`,
  /** No row while there is one that was not cancelled. */
  add: ({ settings, now }: Acting, org: number, by: number) => sql<OrganizationErasure>`
    insert into organization_erasures (organization_id, requested_by, requested_at, due_at)
      values (${org}, ${by}, ${now}, ${erasureDue(settings, now)})
    on conflict do nothing returning ${columns}`,
  cancel: (org: number, now: Date, problem: string | null = null) => sql<OrganizationErasure>`
    update organization_erasures set status = 'cancelled', ended_at = ${now}, problem = ${problem}
     where organization_id = ${org} and status = 'scheduled' returning ${columns}`,
  due: (now: Date, limit: number) => sql<{ id: number; organization_id: number }>`
    (select id, organization_id from organization_erasures where status in ('scheduled', 'running') and due_at <= ${now}
      order by due_at limit ${limit})
    union all
    (select id, organization_id from organization_erasures where status in ('kept', 'ending') and kept_until <= ${now}
      order by kept_until limit ${limit})`,
  /** Locked. */
  open: (org: number, id: number) => sql<OrganizationErasure>`
    select ${columns} from organization_erasures where organization_id = ${org} and id = ${id} for update`,
  postpone: (org: number, id: number, { problem, due }: { problem: string; due: Date }) => sql`
    update organization_erasures set problem = ${problem}, due_at = ${due}
     where organization_id = ${org} and id = ${id} and status = 'scheduled'`,
  follow: (org: number, id: number, { status, keptUntil, endedAt }: Step) => sql`
    update organization_erasures set status = ${status},
      kept_until = coalesce(${keptUntil ?? null}::timestamptz, kept_until),
           ended_at = ${endedAt ?? null}::timestamptz, problem = null
     where organization_id = ${org} and id = ${id}`,
  /** With null all rows at once. */
  remove: (id: number, table: string, most: number | null) => sql<{ storage_key: string | null }>`
    select key as storage_key from remove_from_organization(${id}, ${table}, ${most}::int) as removed (key)`,
  /** What no fiscal document has. */
  clearContacts: (org: number, now: Date) => sql`
    update organizations set erased_at = coalesce(erased_at, ${now}), email = null, phone = null, website = null,
      notes = null,
           additional_info = null, contacts_support = null, contacts_payment = null, api_data = null, metadata = '{}',
           external_id = null, crm_company_id_br = null, crm_company_id_global = null, sso_domains = '{}',
             updated_at = ${now}
     where organization_id = ${org} and id = ${org}`,
  clearName: (org: number, now: Date) => sql`
    update organizations set name = 'erased', owner_id = null, legal_name = null, cnpj = null,
      state_registration = null, address = null,
           address2 = null, address_number = null, neighborhood = null, city = null, state = null, zipcode = null,
             ibge_code = null,
           id_number = null, municipal_registration = null, tax_email = null, tax_param1 = null, tax_param2 = null,
             tax_param3 = null,
           tax_param4 = null, tax_param5 = null, payment_customer_id_br = null, payment_customer_id_global = null,
             updated_at = ${now}
     where organization_id = ${org} and id = ${org}`,
}

type Step = { status: 'running' | 'kept' | 'ending' | 'done'; keptUntil?: Date; endedAt?: Date }

/** People whose erasure is so long ago that what was kept of them goes. */
export const keptOfPeople = {
  due: (now: Date, limit: number) => sql<{ id: number; user_id: number }>`
    select id, user_id from erasures where kept_until <= ${now} order by kept_until limit ${limit}`,
  end: (id: number) => sql`update erasures set kept_until = null where id = ${id}`,
}
