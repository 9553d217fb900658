// A change of a setting of a legal entity.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app }) => {
  await app.database.query(
    `insert into company_settings_history (company, setting, to_value, changed_at, changed_by_name)
     values ('entity_br', 'commission_days', '45', $1, 'system')`,
    [app.clock.now],
  )
  return { settings: 'entity_br' }
}
