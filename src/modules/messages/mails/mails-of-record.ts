// The mails about one record, for the area of the record.
import { page, parentIn } from '#http/route.ts'
import type { Page } from '#kernel/values/schema.ts'
import { raw, sql } from '#kernel/values/sql.ts'
import { MailToPeople } from './mail-record.ts'

type OfRecord = { org: number; table: string; id: number; kinds: readonly string[] }

/** 404 where the table has no such record. */
export const mailsOfRecord = ({ org, table, id, kinds }: OfRecord, query: Page) =>
  page(query, {
    columns: sql`${raw(Object.keys(MailToPeople.properties).join(', '))}`,
    from: sql`from mails where organization_id = ${org} and is_to_people and resource_id = ${id}
      and array_position(${kinds}::text[], kind) is not null`,
    parent: parentIn(table, org, id),
  })
