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

export type Reachable = { user_id: number | null; email: string; language: string }

export const contacts = {
  all: (org: number, now: Date) => sql<Contact>`${all(org, now)}
    select id, role, user_id, email, name, gets_mail from named order by role, id, email`,
  /** Those who get mails. */
  reachable: (org: number, role: ContactRole, now: Date) => sql<Reachable>`${all(org, now)}
    select user_id, email, language from named where role = ${role} and gets_mail order by id, email`,
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
