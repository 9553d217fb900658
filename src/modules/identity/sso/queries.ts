// All SQL of connections.
import { withProvenDomains } from '#modules/delivery/sites/proven-domain.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import type { Scope } from '#kernel/values/permissions.ts'
import { page, row } from '#http/route.ts'
import { raw, sql, type Statement } from '#kernel/values/sql.ts'
import type { Page } from '#kernel/values/schema.ts'
import { MAX_CONNECTIONS, type SsoConnection, StoredConnection } from './connection.ts'

const stored = raw(
  Object.keys(StoredConnection.properties)
    .map((column) => `k.${column}`)
    .join(', '),
)
const proven = sql`
  array(select d.domain from unnest(k.domains) with ordinality d(domain, position)
         where d.domain = any(p.domains) order by d.position)`
const columns = sql`${stored}, k.last_used_at, ${proven} as proven_domains`
const ofOrganization = (org: number) =>
  sql`from sso_connections k ${withProvenDomains(sql`proven.organization_id = ${org}`)}
    where k.organization_id = ${org}`

/** With the sealed secret, for sign-ins. */
export type UsableConnection = Pick<SsoConnection, 'id' | 'organization_id' | 'issuer' | 'client_id'> & {
  client_secret: string
  creates_members: boolean
  member_scopes: Scope[]
  trusts_email: boolean
  proven_domains: string[]
}

const covers = (domain: string) => sql`domains @> array[${domain}]`

/** `which` is a condition on `sso_connections`. */
const usable = (which: Statement) => sql`
  select k.id, k.organization_id, k.issuer, k.client_id, k.client_secret, k.creates_members, k.member_scopes,
    k.trusts_email,
         ${proven} as proven_domains
    from sso_connections k join organizations o on o.organization_id = k.organization_id and o.deleted_at is null
         ${withProvenDomains(sql`proven.organization_id in (select organization_id from sso_connections
           where ${which})`)}`

export const connections = {
  page: (org: number, query: Page) => page(query, { columns, id: 'k.id', from: ofOrganization(org) }),
  byId: (org: number, id: number) => row<SsoConnection>(connections.one(org, id)),
  one: (org: number, id: number) => sql<SsoConnection>`select ${columns} ${ofOrganization(org)} and k.id = ${id}`,
  /** Gives a row while there is room for another one. */
  room: (org: number) => sql`
    select 1 from sso_connections where organization_id = ${org} having count(*) < ${MAX_CONNECTIONS}`,
  /** Domains that another connection of the organization has. */
  taken: (org: number, domains: readonly string[], but: number | null) => sql<{ domain: string }>`
    select d.domain from sso_connections k, unnest(k.domains) d(domain)
     where k.organization_id = ${org} and k.id is distinct from ${but}::bigint and d.domain = any(${domains}::text[])
       limit 1`,
  /** The domains whose people have to sign in by a connection. */
  requiredDomains: (org: number) => sql<{ domain: string }>`
    select d.domain from sso_connections k ${withProvenDomains(sql`proven.organization_id = ${org}`)},
      unnest(k.domains) d(domain)
     where k.organization_id = ${org} and k.is_required and d.domain = any(p.domains) order by 1`,
  /**
   * A sign-in is no change of the connection, so it is neither audited nor an event. No row when the connection was
   * removed, or has another provider, since the answer was checked; else it stays as it is until the transaction ends.
   */
  used: ({ organization_id: org, id, issuer }: UsableConnection, now: Date) => sql`
    update sso_connections set last_used_at = ${now}
     where organization_id = ${org} and id = ${id} and issuer = ${issuer} returning id`,
  unused: ({ organizationId: org, ask }: OrganizationContext, id: number) =>
    ask(sql`update sso_connections set last_used_at = null where organization_id = ${org} and id = ${id} returning id`),

  /** Over all organizations: who signs in addresses of the domain. */
  ofDomain: (domain: string) => sql<UsableConnection>`
    ${usable(covers(domain))} where k.${covers(domain)} and ${domain} = any(p.domains) order by k.id limit 1`,
  usableById: (id: number) => sql<UsableConnection>`${usable(sql`id = ${id}`)} where k.id = ${id}`,
  /** Over all organizations: whether there is one, and whether it is required. */
  offered: (domain: string) => sql<{ is_available: boolean; is_required: boolean }>`
    select count(*) > 0 as is_available, coalesce(bool_or(k.is_required), false) as is_required
      from sso_connections k join organizations o on o.organization_id = k.organization_id and o.deleted_at is null
         ${withProvenDomains(sql`proven.domain = ${domain}`)}
     where k.${covers(domain)} and ${domain} = any(p.domains)`,
}
