// All SQL of contacts.
import { isInForce } from '#kernel/values/clock-skew.ts'
import { raw, sql } from '#kernel/data/sql.ts'
import type { Contact, ContactRole } from './contact.ts'

/** An address within other text. */
const ADDRESS = String.raw`[^\s,;:<>()"']+@[^\s,;:<>()"'@]+\.[a-zA-Z]{2,}`

/**
 * Those of the table, and the addresses in two fields of the organization. An address is mailed only while the organization
 * is verified: nobody has proven it (docs/decisions/0036).
 */
const all = (org: number, now: Date) => sql`
  with o as (select * from organizations where organization_id = ${org} and id = ${org}),
  written as (
    select f.role, a.match[1] as email
      from o, (values ('billing', (select contacts_payment from o)), ('technical', (select contacts_support from o))) f (role, text),
           regexp_matches(f.text, ${ADDRESS}, 'g') as a (match)
  ),
  named as (
    select n.id, n.role, n.user_id, coalesce(u.email, n.email) as email, coalesce(n.name, u.name) as name, n.language,
           case when n.user_id is null then o.verification_status is not distinct from 'verified'
                else exists (select 1 from collaborators c where c.organization_id = ${org} and c.user_id = n.user_id
                                and c.weight >= 50 and ${isInForce('c', now)}) end as gets_mail
      from organization_contacts n join o on true left join users u on u.id = n.user_id
     where n.organization_id = ${org}
    union all
    select null, w.role, null, min(w.email), null, case when ${IN_BRAZIL} then 'pt-BR' else 'en' end,
           o.verification_status is not distinct from 'verified'
      from written w, o
     where not exists (select 1 from organization_contacts n where n.organization_id = ${org} and n.role = w.role
                          and lower(n.email) = lower(w.email))
     group by w.role, lower(w.email), o.country, o.verification_status
  )`
const IN_BRAZIL = raw(`lower(trim(coalesce(o.country, ''))) in ('br', 'bra', 'brazil', 'brasil')`)

/** The kinds that the address of a row of `named` has switched off. */
const mutedBy = (org: number) => sql`array(
  select m.kind from muted_addresses m where m.organization_id = ${org} and m.email = lower(named.email) order by m.kind)`

/** A kind of notice, and the contacts that it goes to. */
export type OfContact = { role: ContactRole; kind: string }
export type ContactAddress = { email: string; organization_name: string; mail: boolean }
export type Reachable = { user_id: number | null; email: string; language: string }

export const contacts = {
  all: (org: number, now: Date) => sql<Contact>`${all(org, now)}
    select id, role, user_id, email, name, gets_mail,
           case when user_id is null then ${mutedBy(org)} else '{}' end as switched_off
      from named order by role, id, email`,
  /** Those who get mails of the kind. What a member has switched off is asked by the announcement. */
  reachable: (org: number, { role, kind }: OfContact, now: Date) => sql<Reachable>`${all(org, now)}
    select user_id, email, language from named
     where role = ${role} and gets_mail and (user_id is not null or ${kind} <> all(${mutedBy(org)})) order by id, email`,
  /** The addresses without an account, and whether they get mails of the kind. */
  addresses: (org: number, { role, kind }: OfContact, now: Date) => sql<ContactAddress>`${all(org, now)}
    select named.email, o.name as organization_name, ${kind} <> all(${mutedBy(org)}) as mail
      from named join organizations o on o.organization_id = ${org} and o.id = ${org} and o.deleted_at is null
     where named.role = ${role} and named.user_id is null`,
  mute: (org: number, email: string, kind: string, now: Date) => sql`
    insert into muted_addresses (organization_id, email, kind, created_at) values (${org}, lower(${email}::text), ${kind}, ${now})
    on conflict do nothing`,
  unmute: (org: number, email: string, kind: string) => sql`
    delete from muted_addresses where organization_id = ${org} and email = lower(${email}::text) and kind = ${kind}`,
  /** How many the role has, and whether this one is among them. */
  countOf: (
    org: number,
    role: ContactRole,
    { user_id, email }: { user_id: number | null; email: string | null },
  ) => sql<{
    count: number
    is_named: boolean
  }>`select count(*) as count, coalesce(bool_or(user_id = ${user_id}::bigint or lower(email) = lower(${email}::text)), false) as is_named
       from organization_contacts where organization_id = ${org} and role = ${role}`,
  isMember: (org: number, userId: number, now: Date) => sql<{ id: number }>`
    select c.id from collaborators c where c.organization_id = ${org} and c.user_id = ${userId} and c.weight >= 50
       and ${isInForce('c', now)}`,
}
