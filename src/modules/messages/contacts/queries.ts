// All SQL of contacts.
import { isInForce } from '#kernel/values/time/clock-skew.ts'
import { BRAZIL } from '#kernel/values/company.ts'
import { sql } from '#kernel/values/sql.ts'
import type { Clock } from '#kernel/values/time/clock.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import { type AskedContact, type Contact, type ContactRole, SCOPES_OF_ROLE } from './contact.ts'

/** An address within other text. */
const ADDRESS = String.raw`[^\s,;:<>()"']+@[^\s,;:<>()"'@]+\.[a-zA-Z]{2,}`

/** Those of the table, and the addresses in two fields of the organization. */
const listed = (org: number) => sql`
  with o as (select * from organizations where organization_id = ${org} and id = ${org}),
  written as (
    select f.role, a.match[1] as email
      from o, (values ('billing', (select contacts_payment from o)), ('technical', (select contacts_support
        from o))) f (role, text),
           regexp_matches(f.text, ${ADDRESS}, 'g') as a (match)
  ),
  listed as (
    select n.id, n.role, n.user_id, coalesce(u.email, n.email) as email, coalesce(n.name, u.name) as name, n.language,
           n.attachments,
           o.verification_status is not distinct from 'verified' as is_verified
      from organization_contacts n join o on true left join users u on u.id = n.user_id
     where n.organization_id = ${org}
    union all
    select null, w.role, null, min(w.email), null, case when ${IN_BRAZIL} then 'pt-BR' else 'en' end, true,
           o.verification_status is not distinct from 'verified'
      from written w, o
     where not exists (select 1 from organization_contacts n where n.organization_id = ${org} and n.role = w.role
                          and lower(n.email) = lower(w.email))
     group by w.role, lower(w.email), o.country, o.verification_status
  )`
/**
 * An address is mailed only while the organization is verified, and once it has confirmed it: nobody else has proven it
 * (docs/interface/messages.md).
 */
const all = (org: number, at: Clock) => sql`${listed(org)},
  named as (
    select l.*, k.is_confirmed, m.may_get_mail, m.may_get_mail and k.is_confirmed as gets_mail
      from listed l, lateral (select ${isConfirmed(org, at)} as is_confirmed) k,
           lateral (select case when l.user_id is null then l.is_verified
                else exists (select 1 from collaborators c where c.organization_id = ${org} and c.user_id = l.user_id
                                and c.weight >= 50 and ${isInForce('c', at)}) end as may_get_mail) m
  )`
/**
 * By the link in a mail, or it is the proven address of a member who was granted what these mails are about. Whether
 * the vendor hides it from members does not count: mails to contacts are sent all the same.
 */
const isConfirmed = (org: number, at: Clock) => sql`
  exists (select 1 from contact_confirmations k
           where k.organization_id = ${org} and k.email = lower(l.email) and k.confirmed_at is not null)
  or exists (select 1 from collaborators c
               join users u on u.id = c.user_id and u.status = 'ACTIVE' and u.disabled_at is null
                 and lower(u.email) = lower(l.email)
              where c.organization_id = ${org} and c.weight >= 50 and ${isInForce('c', at)}
                and c.granted_scopes @> array(select jsonb_array_elements_text(
                      ${storableJson(SCOPES_OF_ROLE)}::jsonb -> l.role)))`
const IN_BRAZIL = sql`coalesce(o.country, '') ~* ${BRAZIL}`

/** The kinds that the address of a row of `named` has switched off. */
const mutedBy = (org: number) => sql`array(
  select m.kind from muted_addresses m where m.organization_id = ${org} and m.email = lower(named.email)
    order by m.kind)`

/** A kind of notice, and the contacts that it goes to. */
export type OfContact = { role: ContactRole; kind: string }
/** An address, and what it is asked. */
export type AskedAddress = AskedContact & { id: number; email: string; language: string }
export type ContactAddress = { email: string; organization_name: string; mail: boolean }
export type Reachable = { user_id: number | null; email: string; language: string; attachments: boolean }

export const contacts = {
  all: (org: number, at: Clock) => sql<Contact>`${all(org, at)}
    select id, role, user_id, email, name, attachments, gets_mail, is_confirmed,
           case when user_id is null then ${mutedBy(org)} else '{}' end as switched_off
      from named order by role, id, email`,
  /** Those who get mails of the kind. What a member has switched off is asked by the announcement. */
  reachable: (org: number, { role, kind }: OfContact, at: Clock) => sql<Reachable>`${all(org, at)}
    select user_id, email, language, attachments from named
     where role = ${role} and gets_mail and (user_id is not null or ${kind} <> all(${mutedBy(org)})) order by id,
       email`,
  /** The addresses without an account, and whether they get mails of the kind. */
  addresses: (org: number, { role, kind }: OfContact, at: Clock) => sql<ContactAddress>`${all(org, at)}
    select named.email, o.name as organization_name, ${kind} <> all(${mutedBy(org)}) as mail
      from named join organizations o on o.organization_id = ${org} and o.id = ${org} and o.deleted_at is null
     where named.role = ${role} and named.user_id is null`,
  mute: (org: number, email: string, kind: string, now: Date) => sql`
    insert into muted_addresses (organization_id, email, kind, created_at)
      values (${org}, lower(${email}::text), ${kind}, ${now})
    on conflict do nothing`,
  unmute: (org: number, email: string, kind: string) => sql`
    delete from muted_addresses where organization_id = ${org} and email = lower(${email}::text) and kind = ${kind}`,
  /** Those who are to be asked whether they want to be contacts, each once. */
  unconfirmed: (org: number, at: Clock) => sql<{ email: string }>`${all(org, at)}
    select distinct lower(email) as email from named where may_get_mail and not is_confirmed order by 1`,
  ask: (org: number, email: string, now: Date) => sql<{ id: number }>`
    insert into contact_confirmations (organization_id, email, asked_at) values (${org}, lower(${email}::text), ${now})
    on conflict (organization_id, email) do update set asked_at = excluded.asked_at returning id`,
  /** What an address is asked; no row once it is no contact any more. */
  asked: (org: number, id: number) => sql<AskedAddress>`${listed(org)}
    select k.id, k.email, min(l.language) as language, o.name as organization_name,
           array_agg(distinct l.role order by l.role) as roles, k.confirmed_at is not null as is_confirmed
      from contact_confirmations k join listed l on lower(l.email) = k.email join o on o.deleted_at is null
     where k.organization_id = ${org} and k.id = ${id} group by k.id, k.email, k.confirmed_at, o.name`,
  confirm: (org: number, id: number, now: Date) => sql`
    update contact_confirmations set confirmed_at = coalesce(confirmed_at, ${now})
     where organization_id = ${org} and id = ${id}`,
  /** For the mail to the owner. */
  summary: (org: number) => sql<{ contacts: Pick<Contact, 'role' | 'email'>[] }>`${listed(org)}
    select coalesce(jsonb_agg(jsonb_build_object('role', role, 'email', email) order by role, email), '[]') as contacts
      from listed`,
  /** How many the role has, and whether this one is among them. */
  countOf: (
    org: number,
    role: ContactRole,
    { user_id, email }: { user_id: number | null; email: string | null },
  ) => sql<{
    count: number
    is_named: boolean
  }>`select count(*) as count, coalesce(bool_or(user_id = ${user_id}::bigint
    or lower(email) = lower(${email}::text)), false) as is_named
       from organization_contacts where organization_id = ${org} and role = ${role}`,
  isMember: (org: number, userId: number, at: Clock) => sql<{ id: number }>`
    select c.id from collaborators c where c.organization_id = ${org} and c.user_id = ${userId} and c.weight >= 50
       and ${isInForce('c', at)}`,
}
