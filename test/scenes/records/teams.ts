// A team of the vendor's staff, which belongs to no organization.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app }) => {
  const [row] = await app.database.query<{ id: number }>(
    `insert into teams (name) values ('Team ' || (select count(*) from teams)) returning id`,
  )
  return { teams: row?.id ?? 0 }
}
