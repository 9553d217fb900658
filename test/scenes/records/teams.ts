// A team of the vendor's staff, which belongs to no organization, with a member who is no longer staff.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app, organization }) => {
  const [row] = await app.database.query<{ id: number }>(
    `insert into teams (name) values ('Team ' || (select count(*) from teams)) returning id`,
  )
  const teams = row?.id ?? 0
  await app.database.query('insert into team_members (team_id, user_id, joined_at) values ($1, $2, now())', [
    teams,
    organization.owner.userId,
  ])
  return { teams }
}
