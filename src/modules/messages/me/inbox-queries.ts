// All SQL of the inbox. Whether somebody may still read an entry is asked each time: memberships and roles end.
import { isInForce } from '#kernel/values/time/clock-skew.ts'
import { hasTwoFactors, isSignedOn } from '#kernel/access/session-rules.ts'
import { weightOf } from '#kernel/values/permissions.ts'
import { PERMISSIONS_OF_U } from '#kernel/values/staff-roles.ts'
import { page, type ReadContext } from '#http/route.ts'
import { sql, type Statement, when } from '#kernel/values/sql.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import type { InboxFilters, StoredEntry } from './inbox-entry.ts'
import type { Needs } from './notice-kind.ts'

/** Whose inbox, by which session. */
export type Recipient = Pick<ReadContext, 'userId' | 'sessionId' | 'now'> & {
  staffMfa: boolean
  hiddenScopes: Statement
  brands: Statement
}

export type NewEntry = {
  kind: string
  content: object
  record: string
  recordId: number | null
  needs: Needs
}

const columnsFor = ({ brands }: Recipient) => sql`e.id, e.organization_id, o.name as organization_name, o.country,
  e.kind, e.content, e.record, e.record_id, e.created_at, e.read_at, ${brands} as brands`

/**
 * As a request to the organization would be admitted: by the membership and what it asks of the session, staff by their
 * roles.
 */
const visible = ({ userId, sessionId, now, staffMfa, hiddenScopes }: Recipient): Statement => {
  const isTwo = sql`exists (select 1 from sessions s where s.id = ${sessionId} and s.second_factor is not null)`
  return sql`o.deleted_at is null and (
    exists (select 1 from access_check d join sessions s on s.id = ${sessionId} join users u on u.id = d.user_id
             where d.organization_id = e.organization_id and d.user_id = ${userId} and d.weight >= e.weight
               and (e.scope is null
                 or e.scope = any(visible_scopes(d.granted_scopes, d.hidden_scopes, ${hiddenScopes})))
               and ${isInForce('d', now)}
               and ${isSignedOn(sql`s`, sql`u.email`)} and ${hasTwoFactors(sql`s`)}
               and (e.record <> 'ticket' or d.ticket_visibility = 'all'
                 or (e.organization_id, e.record_id) in (${noticedTickets(userId, sql`t.created_by = ${userId}`)})
                 or d.ticket_visibility = 'watched' and (e.organization_id, e.record_id)
                   in (${noticedTickets(userId, sql`${userId} = any(t.watcher_ids)`)})))
    or exists (select 1 from users u where u.id = ${userId}
      and (${PERMISSIONS_OF_U}) @> array[e.staff_scope || ':read'])
      and (not ${staffMfa} or ${isTwo}))`
}

/**
 * That the inbox is about and that are theirs, or that they watch; of them all, since a cluster cannot look for each
 * entry's. Only members who do not see all tickets need them.
 */
const noticedTickets = (userId: Recipient['userId'], isSeen: Statement): Statement => sql`
  select t.organization_id, t.id from (select distinct organization_id, record_id from inbox_entries
    where user_id = ${userId} and record = 'ticket') n
    join tickets t on t.organization_id = n.organization_id and t.id = n.record_id where ${isSeen}`

const ofRecipient = (recipient: Recipient): Statement => sql`
  from inbox_entries e join organizations o on o.id = e.organization_id
 where e.user_id = ${recipient.userId} and ${visible(recipient)}`

const isUnread = (unread: boolean) => (unread ? sql`and e.read_at is null` : sql`and e.read_at is not null`)

export const inbox = {
  page: (recipient: Recipient, query: InboxFilters) =>
    page(query, {
      columns: columnsFor(recipient),
      id: 'e.id',
      from: sql`${ofRecipient(recipient)} ${when(query.unread, isUnread)}
        ${when(query.kind, (kind) => sql`and e.kind = ${kind}`)}
        ${when(query.organization_id, (id) => sql`and e.organization_id = ${id}`)}`,
    }),
  one: (recipient: Recipient, id: number) =>
    sql<StoredEntry>`select ${columnsFor(recipient)} ${ofRecipient(recipient)} and e.id = ${id}`,
  unread: (recipient: Recipient) => sql<{ organization_id: number; unread: number }>`
    select e.organization_id, count(*) as unread ${ofRecipient(recipient)} and e.read_at is null
     group by e.organization_id order by e.organization_id`,
  mark: (recipient: Recipient, id: number, readAt: Date | null) => sql<{ id: number }>`
    update inbox_entries m set read_at = ${readAt}::timestamptz
      from (select e.organization_id, e.id ${ofRecipient(recipient)} and e.id = ${id}) v
     where m.organization_id = v.organization_id and m.id = v.id returning m.id`,
  markAll: (recipient: Recipient, organizationId: number | undefined, now: Date) => sql<{ marked: number }>`
    with marked as (
      update inbox_entries m set read_at = ${now}
        from (select e.organization_id, e.id ${ofRecipient(recipient)} and e.read_at is null
                ${when(organizationId, (id) => sql`and e.organization_id = ${id}`)}) v
       where m.organization_id = v.organization_id and m.id = v.id returning 1)
    select count(*) as marked from marked`,
  add: (
    org: number,
    { kind, content, record, recordId, needs }: NewEntry,
    userIds: readonly number[],
    now: Date,
  ) => sql`
    insert into inbox_entries (organization_id, user_id, kind, content, record, record_id, weight, scope, staff_scope,
      created_at)
    select ${org}, u.user_id, ${kind}, ${storableJson(content)}::jsonb, ${record}, ${recordId}::bigint,
           ${needs.members === null ? null : weightOf(needs.members.atLeast)}::integer,
             ${needs.members?.scope ?? null}::text,
           ${needs.staff}, ${now} from unnest(${userIds}::bigint[]) as u (user_id)`,
  removeBefore: (moment: Date, limit: number) => sql`
    delete from inbox_entries e using (
      select organization_id, id from inbox_entries where created_at < ${moment} order by created_at limit ${limit}) old
     where e.organization_id = old.organization_id and e.id = old.id`,
}
