// The demo's export: the revenue billed, for a Brazilian spreadsheet.
import { exportSources } from '#modules/operations/exports/export-source.ts'
import { startExport } from '#modules/operations/exports/start-export.ts'
import { permissionsOf } from '#kernel/values/staff-roles.ts'
import type { Caller } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import type { DemoService } from './demo-service.ts'

type Staff = { id: number; name: string; roles: string[] }

export async function demoExport(service: DemoService, email: string): Promise<void> {
  const [staff] = await service.transactions.read(
    null,
    sql<Staff>`select id, name, roles from users where email = ${email}`,
  )
  if (!staff) return
  const origin = service.origin()
  const permissions = permissionsOf(staff.roles)
  const caller: Caller = { ...origin.caller, kind: 'user', userId: staff.id, name: staff.name, permissions }
  await service.transactions.asSystem('the demo', { ...origin, caller }, (ctx) =>
    startExport(ctx, exportSources([]), { source: 'reports/billed', format: 'csv-br' }),
  )
}
