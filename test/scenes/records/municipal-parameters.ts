// What a municipality has published, which belongs to no organization.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app }) => {
  await app.database.query(
    `insert into municipal_parameters (municipality, service_code, competence, outcome, raw, answered_at)
     values ('3550308', '', '2026-01-01', 'published', '{}', $1)`,
    [app.clock.now],
  )
  return {}
}
