// All SQL of mails.
import { inOrganizations, type Only } from '#kernel/data/across.ts'
import { raw, sql, when } from '#kernel/data/sql.ts'
import { page, row } from '#kernel/http/route.ts'
import { storableJson } from '#kernel/values/text.ts'
import { type MailFilters, MailRecord, mailRecipient, type MailStatus } from './mail-record.ts'

const columns = raw(Object.keys(MailRecord.properties).join(', '))
const one = (id: number) => sql<MailRecord>`select ${columns} from mails where id = ${id}`

export type Queued = { mail: string; resource_id: number; resendOf?: number }
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
  page: (query: MailFilters, only: Only) =>
    page(query, {
      columns: sql`${columns}`,
      from: sql`from mails where true
        ${inOrganizations('organization_id', query, only)}
        ${when(query.email, (email) => sql`and email = lower(${email})`)}
        ${when(query.kind, (kind) => sql`and kind = ${kind}`)}
        ${when(query.status, (status) => sql`and status = ${status}`)}`,
    }),
  byId: (id: number) => row(one(id)),
  one,
  addressOf: (org: number, id: number) =>
    sql<{ email: string | null }>`select email from mails where organization_id = ${org} and id = ${id}`,
  /** The records of the mails and their jobs, in one statement. */
  queue: (
    org: number,
    { mail, resource_id, resendOf = null }: Omit<Queued, 'resendOf'> & { resendOf?: number | null },
    to: readonly { user_id: number | null; email?: string }[],
    now: Date,
  ) => sql<{ id: number }>`
    with written as (
      insert into mails (organization_id, kind, resource_id, user_id, email, resend_of, created_at)
      select ${org}, ${mail}, ${resource_id}, r.user_id, lower(coalesce(r.email, u.email)), ${resendOf}::bigint, ${now}
        from jsonb_to_recordset(${storableJson(to)}::jsonb) as r (user_id bigint, email text) left join users u on u.id = r.user_id
      returning id, user_id
    ), enqueued as (
      insert into jobs (organization_id, kind, payload, run_at)
      select ${org}, ${mailRecipient.name}, jsonb_build_object('mail', ${mail}::text, 'resource_id', ${resource_id}::bigint,
             'user_id', w.user_id, 'mail_id', w.id), ${now} from written w
    )
    select id from written`,
  drop: (org: number, id: number) =>
    sql`update mails set status = 'dropped' where organization_id = ${org} and id = ${id} and status <> 'sent'`,
  attempted: ({ organization_id, mail_id, ...attempt }: Attempt, now: Date) => {
    const sentAt = attempt.status === 'sent' ? now : null
    return mail_id === null
      ? sql`insert into mails (organization_id, kind, email, status, subject, error, attempts, message_id, created_at, sent_at)
            values (${organization_id}, ${attempt.kind}, lower(${attempt.email}), ${attempt.status}, ${attempt.subject}, ${attempt.error}, 1, ${attempt.message_id},
                    ${now}, ${sentAt}::timestamptz)
            on conflict (message_id) do update set status = excluded.status, error = excluded.error, sent_at = excluded.sent_at,
              attempts = mails.attempts + 1`
      : sql`update mails set status = ${attempt.status}, email = lower(${attempt.email}), subject = ${attempt.subject}, error = ${attempt.error},
                   message_id = ${attempt.message_id}, attempts = attempts + 1, sent_at = ${sentAt}::timestamptz
             where organization_id = ${organization_id} and id = ${mail_id}`
  },
  /** The job of a mail that is still to be sent; a dead letter waits for staff. */
  jobOf: (org: number, id: number) => sql<{ is_dead_letter: boolean }>`
    select parked_at is not null as is_dead_letter from jobs
     where organization_id = ${org} and kind = ${mailRecipient.name} and (payload ->> 'mail_id')::bigint = ${id}`,
  removeDeadLetter: (org: number, id: number) => sql`
    delete from jobs where organization_id = ${org} and kind = ${mailRecipient.name}
       and (payload ->> 'mail_id')::bigint = ${id} and parked_at is not null`,
  removeBefore: (moment: Date, limit: number) => sql`
    delete from mails where id = any(array(select id from mails where created_at < ${moment} order by created_at limit ${limit}))`,
}
