// A text of the vendor, which belongs to no organization.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app }) => {
  const [row] = await app.database.query<{ id: number }>(
    `insert into canned_replies (name, body_pt_br, body_en)
     values ('Text ' || (select count(*) from canned_replies), 'Oi', 'Hi') returning id`,
  )
  return { 'canned-replies': row?.id ?? 0 }
}
