// All SQL of organizations.
import { isInForce } from '#kernel/values/time/clock-skew.ts'
import { inOrganizations, type Only } from '#kernel/data/lists/across.ts'
import { withExternalId } from '#kernel/data/external-ids.ts'
import { page, row } from '#http/route.ts'
import { contains } from '#kernel/data/lists/search.ts'
import { isOneOf, type Statement, sql, nothing, when, raw } from '#kernel/values/sql.ts'
import {
  type AdministratorFilters,
  Organization,
  type OrganizationFilters,
  organizationListing,
  type OrganizationRow,
  organizationsTable,
  summaryColumns,
} from './organization.ts'

const columns = raw(Object.keys(Organization.properties).join(', '))
const rowColumns = raw(organizationsTable.visible.join(', '))

/** Finds a CNPJ with and without punctuation. */
function matching(text: string): Statement {
  const bare = text.replaceAll(/[\s./-]/g, '')
  const byCnpj = bare === '' ? nothing : sql`or ${contains('o.cnpj', bare)}`
  return sql`and (${contains('o.name', text)} or ${contains('o.legal_name', text)} ${byCnpj})`
}

const filtered = (query: OrganizationFilters) => sql`
  ${when(query.search, matching)}
  ${when(query.status, (status) => sql`and o.status = ${status}`)}
  ${when(query.type, (type) => sql`and o.type = ${type}`)}`

export const organizations = {
  /** The organizations in which the user has a membership in force. */
  pageOf: (userId: number, query: OrganizationFilters, now: Date) =>
    page(query, {
      columns: sql`${raw(summaryColumns)}, c.role`,
      id: 'o.id',
      listing: organizationListing,
      from: sql`from organizations o join collaborators c on c.organization_id = o.id and c.user_id = ${userId}
        where o.deleted_at is null and c.role <> 'pending'
          and ${isInForce('c', now)}
          ${filtered(query)}`,
    }),
  /** All organizations, for administrators. */
  pageOfAll: (query: AdministratorFilters, only: Only) =>
    page(query, {
      columns: sql`${raw(summaryColumns)}, o.email, o.city, o.country, o.verified_at, o.external_id,
        u.email as owner_email, o.deleted_at`,
      id: 'o.id',
      listing: organizationListing,
      from: sql`from organizations o left join users u on u.id = o.owner_id
        where ${query.deleted === true ? sql`o.deleted_at is not null` : sql`o.deleted_at is null`}
          ${withExternalId(query, 'o.')}
          ${inOrganizations('o.id', {}, only)}
          ${isOneOf('o.verification_status', query.verification_status)}
          ${filtered(query)}`,
    }),
  byId: (org: number, id: number) =>
    row<Organization>(sql`select ${columns} from organizations
      where organization_id = ${org} and id = ${id} and deleted_at is null`),
  rowById: (id: number) =>
    sql<OrganizationRow>`select ${rowColumns} from organizations where organization_id = ${id} and id = ${id}`,
  nextId: sql<{ id: number }>`select nextval(pg_get_serial_sequence('organizations', 'id')) as id`,
  /** The row that the organization's writers lock, and that counts its events. */
  openSequence: (id: number) => sql`insert into event_sequences (organization_id) values (${id})`,
  isLiving: (id: number) => sql`select organization_id from access_check where organization_id = ${id} limit 1`,
  /** One row if an organization has the CNPJ; its id is null unless the user is a member in force. */
  withCnpj: (cnpj: string, userId: number | null, now: Date) => sql<{ organization_id: number | null }>`
    select d.organization_id from claims k left join access_check d on d.organization_id = k.organization_id
      and d.user_id = ${userId}
       and ${isInForce('d', now)}
     where k.kind = 'cnpj' and k.value = ${cnpj}`,
}
