// All SQL of exports, consents and erasures.
import { NEWEST_EXPORTS } from '#modules/documents/files/kept-exports.ts'
import { isGivenUp } from '#modules/messages/mails/jobs-of-record.ts'
import { page, row } from '#http/route.ts'
import type { Acting } from '#kernel/data/context.ts'
import { isOneOf, raw, type Statement, sql, when } from '#kernel/values/sql.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { Configured } from '#ports/ports.ts'
import { numberIn, numbersIn } from '#ports/settings-in-force.ts'
import { Consent, type NewConsent } from './consent.ts'
import { Erasure, type ErasureFilters, KEPT_PERIODS, type KeptPeriods } from './erasure.ts'
import {
  makeOrganizationExport,
  makePersonExport,
  OrganizationExport,
  type OwnedFile,
  PersonExport,
  type PersonExportFilters,
} from './export.ts'
import type { ErasedPerson } from './personal-data.ts'

const namesOf = ({ properties }: { properties: object }) => raw(Object.keys(properties).join(', '))
const ofPerson = namesOf(PersonExport)
const ofOrganization = namesOf(OrganizationExport)

export type StoredFile = { storage_key: string; size: number; sha256: string }
export type Due = { id: number; storage_key: string }

export const personExports = {
  page: ({ user_id: userId, ...query }: PersonExportFilters) =>
    page(query, {
      columns: sql`${ofPerson}`,
      from: sql`from person_exports where true ${when(userId, (id) => sql`and user_id = ${id}`)}`,
    }),
  /** With null whoever it is about. */
  byId: (id: number, userId: number | null) =>
    row<PersonExport>(sql`
      select ${ofPerson} from person_exports where id = ${id} and coalesce(user_id = ${userId}::bigint, true)`),
  one: (id: number) => sql<PersonExport>`select ${ofPerson} from person_exports where id = ${id}`,
  /** No row while the person has an export that is not ready. */
  add: (userId: number, by: number, now: Date) => sql<PersonExport>`
    insert into person_exports (user_id, requested_by, created_at) values (${userId}, ${by}, ${now})
    on conflict do nothing returning ${ofPerson}`,
  file: (id: number, userId: number | null) => sql<OwnedFile>`
    select id, user_id as owner, storage_key, size, sha256 from person_exports where id = ${id}
      and coalesce(user_id = ${userId}::bigint, true)`,
  /** No row when another run has done so, or the person was erased since the file was asked for. */
  finish: (id: number, { storage_key, size, sha256 }: StoredFile, { now, until }: { now: Date; until: Date }) => sql<{
    user_id: number
  }>`
    update person_exports set status = 'completed', storage_key = ${storage_key}, size = ${size}, sha256 = ${sha256},
           ended_at = ${now}, expires_at = ${until} where id = ${id} and status in ('queued', 'failed')
       and not exists (select 1 from erasures e where e.user_id = person_exports.user_id and e.status
         in ('running', 'done'))
     returning user_id`,
  /** Ends those that no job writes any more: theirs is a dead letter. */
  giveUp: (now: Date) => sql`
    update person_exports e set status = 'failed', ended_at = ${now} where e.status = 'queued'
      and ${isGivenUp(makePersonExport, 'export_id', sql`e.id`)} returning e.id`,
  due: (now: Date, limit: number) => sql<Due>`
    select id, storage_key from person_exports where status = 'completed' and expires_at <= ${now} order by expires_at
      limit ${limit}`,
  /** Those of the person that are not among the newest. */
  older: (userId: number) => sql<Due>`
    select id, storage_key from person_exports where user_id = ${userId} and status = 'completed'
     order by ended_at desc, id desc offset ${NEWEST_EXPORTS}`,
  ofUser: (userId: number) => sql<Due>`
    select id, storage_key from person_exports where user_id = ${userId} and status = 'completed'`,
  expire: (id: number) => sql<{ id: number }>`
    update person_exports set status = 'expired', storage_key = null where id = ${id} and status = 'completed'
      returning id`,
}

export const organizationExports = {
  page: (org: number, query: Page) =>
    page(query, {
      columns: sql`${ofOrganization}`,
      from: sql`from organization_exports where organization_id = ${org}`,
    }),
  byId: (org: number, id: number) =>
    row<OrganizationExport>(sql`
      select ${ofOrganization} from organization_exports where organization_id = ${org} and id = ${id}`),
  one: (org: number, id: number) => sql<OrganizationExport>`
    select ${ofOrganization} from organization_exports where organization_id = ${org} and id = ${id} for update`,
  /** Those that no job writes any more. */
  givenUp: (limit: number) => sql<{ organization_id: number; id: number }>`
    select e.organization_id, e.id from organization_exports e
     where e.status = 'queued' and ${isGivenUp(makeOrganizationExport, 'export_id', sql`e.id`)} limit ${limit}`,
  isQueued: (org: number) =>
    sql`select id from organization_exports where organization_id = ${org} and status = 'queued'`,
  /** The file of an organization that is not deleted. */
  linked: (org: number, id: number) => sql<OwnedFile>`
    select e.id, e.organization_id as owner, e.storage_key, e.size, e.sha256 from organization_exports e
      join (select * from organizations where organization_id = ${org} and id = ${org}) o on true
        and o.deleted_at is null
     where e.organization_id = ${org} and e.id = ${id}`,
  /** Those that are not among the newest. */
  older: (org: number) => sql<Due>`
    select id, storage_key from organization_exports where organization_id = ${org} and status = 'completed'
     order by ended_at desc, id desc offset ${NEWEST_EXPORTS}`,
  due: (now: Date, limit: number) => sql<Due & { organization_id: number }>`
    select organization_id, id, storage_key from organization_exports
     where status = 'completed' and expires_at <= ${now} order by expires_at limit ${limit}`,
}

const consentColumns = namesOf(Consent)

export const consents = {
  page: (userId: number, query: Page) =>
    page(query, { columns: sql`${consentColumns}`, from: sql`from consents where user_id = ${userId}` }),
  add: (
    { purpose, version, is_given }: NewConsent,
    by: { userId: number; at: Date; source: Consent['source']; ip: string | null },
  ) => sql<Consent>`
    insert into consents (user_id, purpose, version, is_given, at, source, ip)
    values (${by.userId}, ${purpose}, ${version}, ${is_given}, ${by.at}, ${by.source}, ${by.ip})
      returning ${consentColumns}`,
}

const erasureColumns = raw(
  Object.keys(Erasure.properties)
    .filter((name) => name !== 'kept')
    .join(', '),
)
export type ErasureRow = Omit<Erasure, 'kept'>

/** With what says for how long the rest is kept. */
export type ErasureWithPeriods = ErasureRow & { periods: KeptPeriods }
const withPeriods = (settings: Configured) => sql`${erasureColumns}, ${numbersIn(settings, KEPT_PERIODS)} as periods`

/** In SQL, when what is requested now begins. */
export const erasureDue = (settings: Configured, now: Date): Statement => sql`
  ${now}::timestamptz + ${numberIn(settings, 'erasure_days')} * interval '24 hours'`

export const erasures = {
  latestOf: (settings: Configured, userId: number) => sql<ErasureWithPeriods>`
    select ${withPeriods(settings)} from erasures where user_id = ${userId} order by id desc limit 1`,
  page: ({ status, user_id: userId, ...query }: ErasureFilters) =>
    page(query, {
      columns: sql`${erasureColumns}`,
      from: sql`from erasures where true ${isOneOf('status', status)}
        ${when(userId, (id) => sql`and user_id = ${id}`)}`,
    }),
  /** No row while there is one that has not ended. */
  add: ({ settings, now }: Acting, userId: number, by: number) => sql<ErasureWithPeriods>`
    insert into erasures (user_id, requested_by, requested_at, due_at)
      values (${userId}, ${by}, ${now}, ${erasureDue(settings, now)})
    on conflict do nothing returning ${withPeriods(settings)}`,
  cancel: ({ settings, now }: Acting, userId: number) => sql<ErasureWithPeriods>`
    update erasures set status = 'cancelled', ended_at = ${now} where user_id = ${userId} and status = 'scheduled'
    returning ${withPeriods(settings)}`,
  due: (now: Date, limit: number) => sql<{ id: number }>`
    select id from erasures where status in ('scheduled', 'running') and due_at <= ${now} order by due_at
      limit ${limit}`,
  /** Locked; no row when it has ended, or was cancelled. */
  open: (id: number) => sql<ErasureRow>`
    select ${erasureColumns} from erasures where id = ${id} and status in ('scheduled', 'running') for update`,
  /** Begun again, it keeps the addresses: what they were found by may be gone. */
  begin: (id: number, addresses: readonly string[]) => sql`
    update erasures set status = 'running', problem = null, addresses = coalesce(addresses, ${addresses}::text[])
      where id = ${id}`,
  /** Whom a running erasure is about; locked. */
  person: (id: number) => sql<ErasedPerson>`
    select u.id, u.email, u.name, e.addresses from erasures e join users u on u.id = e.user_id
     where e.id = ${id} and e.status = 'running' for update of e`,
  isDone: (userId: number) => sql`select id from erasures where user_id = ${userId} and status = 'done' limit 1`,
  postpone: (id: number, problem: string, due: Date) => sql`
    update erasures set problem = ${problem}, due_at = ${due} where id = ${id}`,
  end: (id: number, { now, keptUntil }: { now: Date; keptUntil: Date }) => sql`
    update erasures set status = 'done', ended_at = ${now}, kept_until = ${keptUntil}, addresses = null
      where id = ${id}`,
}
