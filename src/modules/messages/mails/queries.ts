// All SQL of mails.
import { namesRecord } from './jobs-of-record.ts'
import { inOrganizations, type Only } from '#kernel/data/lists/across.ts'
import { isOneOf, raw, sql, when } from '#kernel/values/sql.ts'
import { Type } from 'typebox'
import type { Clock } from '#kernel/values/time/clock.ts'
import { page, row } from '#http/route.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import { isStaffU } from '#kernel/values/staff-roles.ts'
import { mayRead } from '#kernel/data/lists/search.ts'
import {
  type KindToPeople,
  type MailFilters,
  MailRecord,
  mailRecipient,
  type MailStatus,
  type MailsToPeople,
  MailToPeople,
} from './mail-record.ts'

const columns = raw(Object.keys(MailRecord.properties).join(', '))
const columnsBesidesSubject = raw(Object.keys(Type.Omit(MailRecord, ['subject']).properties).join(', '))

/**
 * For staff and keys of the vendor: the subject of a mail, which may name amounts, is for those who may read what it is
 * about.
 */
const columnsFor = (kinds: readonly KindToPeople[]) => {
  const known = kinds.map(({ kind, needs: { staff } }) => ({ kind, scope: staff }))
  return sql`${columnsBesidesSubject},
    case when kind <> all(${known.map(({ kind }) => kind)}::text[])
           or kind = any(array(select k.kind from jsonb_to_recordset(${storableJson(known)}::jsonb) as k (kind text,
             scope text)
                                where ${mayRead(raw('k.scope'))})) then subject end as subject`
}
/** To addresses without an account. */
const TO_ADDRESSES = ['invite', 'contact-confirmation'].map((kind) => ({ kind, scope: 'organization' }))
const one = (id: number) => sql<MailRecord>`select ${columns} from mails where id = ${id}`

export type NewMail = {
  mail: string
  resource_id: number
  /** An address without an account is one that the organization has named or invited, not the vendor's. */
  isToNamed: boolean
  resendOf?: number
}
/** `mail_id`: its record, which a mail about an account does not have before the first attempt. */
export type Attempt = {
  organization_id: number | null
  mail_id: number | null
  message_id: string
  kind: string
  email: string
  subject: string
  status: MailStatus
  error: string | null
}

export const mails = {
  /** Mails about an account belong to no organization. */
  page: (query: MailFilters, only: Only, kinds: readonly KindToPeople[]) =>
    page(query, {
      columns: columnsFor(kinds),
      from: sql`from mails where true
        ${inOrganizations('organization_id', query, only)}
        ${when(query.email, (email) => sql`and email = lower(${email})`)}
        ${when(query.kind, (kind) => sql`and kind = ${kind}`)}
        ${isOneOf('status', query.status)}`,
    }),
  /**
   * Of kinds whose records the caller may read; whoever sees some tickets only sees no mails about tickets. No index is
   * asked for all of these kinds at once (`array_position`): their rows would be sorted before the first page.
   */
  pageToPeople: (org: number, kinds: readonly KindToPeople[], query: MailsToPeople) => {
    const known = kinds.flatMap(({ kind, needs: { members } }) =>
      members === null ? [] : [{ kind, scope: members.scope ?? 'organization' }],
    )
    return page(query, {
      columns: sql`${raw(Object.keys(MailToPeople.properties).join(', '))}`,
      from: sql`from mails where organization_id = ${org} and is_to_people
        and array_position(array(
              select k.kind from jsonb_to_recordset(${storableJson([...known, ...TO_ADDRESSES])}::jsonb) as k (kind
                text, scope text)
               where ${mayRead(raw('k.scope'))}
                 and (k.kind not like 'ticket-%' or coalesce(current_setting('app.ticket_visibility', true), '')
                   in ('', 'all'))
              ), kind) is not null
        ${when(query.email, (email) => sql`and email = lower(${email})`)}
        ${when(query.kind, (kind) => sql`and kind = ${kind}`)}
        ${isOneOf('status', query.status)}`,
    })
  },
  byId: (id: number, only: Only, kinds: readonly KindToPeople[]) =>
    row(
      sql<MailRecord>`select ${columnsFor(kinds)} from mails
        where id = ${id} ${inOrganizations('organization_id', {}, only)}`,
    ),
  one,
  addressOf: (org: number, id: number) =>
    sql<{ email: string | null }>`select email from mails where organization_id = ${org} and id = ${id}`,
  /** How many of a kind were queued since: in all, to the address, and when the latest about the record was. */
  sentSince: (
    org: number,
    { kind, email, id, since }: { kind: string; email: string; id: number | null; since: Date },
  ) => sql<{
    all: number
    first: string | null
    to_address: number
    first_to_address: string | null
    last_of_record: string | null
  }>`
    select count(*) as all, min(created_at) as first, count(*) filter (where email = lower(${email})) as to_address,
           min(created_at) filter (where email = lower(${email})) as first_to_address,
           max(created_at) filter (where resource_id = ${id}::bigint) as last_of_record
      from mails where organization_id = ${org} and kind = ${kind} and created_at > ${since}`,
  /** To the address from all organizations. Another who asks about it waits until this transaction has ended. */
  fromAllSince: (email: string, kinds: readonly string[], since: Date) => sql<{ from_all: number }>`
    select mails_to_address(${email}, ${[...kinds]}::text[], ${since}) as from_all`,
  /** The records of the mails and their jobs, in one statement. */
  queue: (
    org: number,
    { mail, resource_id, isToNamed, resendOf }: NewMail,
    to: readonly { user_id: number | null; email?: string }[],
    { realNow: now }: Clock,
  ) => sql<{ id: number }>`
    with written as (
      insert into mails (organization_id, kind, resource_id, user_id, email, is_to_people, resend_of, created_at)
      select ${org}, ${mail}, ${resource_id}, r.user_id, lower(coalesce(r.email, u.email)),
             case when r.user_id is null then ${isToNamed}
                  else not (${isStaffU()}) and exists (
                    select 1 from collaborators c where c.organization_id = ${org} and c.user_id = r.user_id) end,
             ${resendOf ?? null}::bigint, ${now}
        from jsonb_to_recordset(${storableJson(to)}::jsonb) as r (user_id bigint, email text) left join users u
          on u.id = r.user_id
      returning id, user_id
    ), enqueued as (
      insert into jobs (organization_id, kind, payload, run_at)
      select ${org}, ${mailRecipient.name}, jsonb_build_object('mail', ${mail}::text, 'resource_id',
        ${resource_id}::bigint,
             'user_id', w.user_id, 'mail_id', w.id), ${now} from written w
    )
    select id from written`,
  drop: (org: number, id: number) =>
    sql`update mails set status = 'dropped' where organization_id = ${org} and id = ${id} and status <> 'sent'`,
  attempted: ({ organization_id, mail_id, ...attempt }: Attempt, { realNow: now }: Clock) => {
    const sentAt = attempt.status === 'sent' ? now : null
    return mail_id === null
      ? sql`insert into mails (organization_id, kind, email, status, subject, error, attempts, message_id, created_at,
        sent_at)
            values (${organization_id}, ${attempt.kind}, lower(${attempt.email}), ${attempt.status}, ${attempt.subject},
              ${attempt.error}, 1, ${attempt.message_id},
                    ${now}, ${sentAt}::timestamptz)
            on conflict (message_id) do update set status = excluded.status, error = excluded.error,
              sent_at = excluded.sent_at,
              attempts = mails.attempts + 1`
      : sql`update mails set status = ${attempt.status}, email = lower(${attempt.email}), subject = ${attempt.subject},
        error = ${attempt.error},
                   message_id = ${attempt.message_id}, attempts = attempts + 1, sent_at = ${sentAt}::timestamptz
             where organization_id = ${organization_id} and id = ${mail_id}`
  },
  /** Of several requests to send it again at once, each waits for the one before it. */
  locked: (id: number) => sql<MailRecord & { is_to_people: boolean }>`
    select ${columns}, is_to_people from mails where id = ${id} for no key update`,
  /** It was sent again just now, and that one has not left yet. */
  isBeingResent: (org: number, id: number) => sql<{ id: number }>`
    select id from mails where organization_id = ${org} and resend_of = ${id} and status = 'queued' limit 1`,
  /** The job of a mail that is still to be sent; a dead letter waits for staff. */
  jobOf: (org: number, id: number) => sql<{ is_dead_letter: boolean }>`
    select j.dead_at is not null as is_dead_letter from jobs j
     where j.organization_id = ${org} and ${namesRecord(mailRecipient, 'mail_id', sql`${id}`)}`,
  removeDeadLetter: (org: number, id: number) => sql`
    delete from jobs j
     where j.organization_id = ${org} and ${namesRecord(mailRecipient, 'mail_id', sql`${id}`)}
       and j.dead_at is not null`,
  removeBefore: (moment: Date, limit: number) => sql`
    delete from mails where id = any(array(select id from mails where created_at < ${moment} order by created_at
      limit ${limit}))`,
}
