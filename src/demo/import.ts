// The demo's import: a dry run of three customers of an older system, one of which has a wrong CNPJ.
import { Readable } from 'node:stream'
import { receiveImport, startImport } from '#modules/integrations/imports/start-import.ts'
import type { Caller } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import { permissionsOf } from '#kernel/values/staff-roles.ts'
import { demoIo, type DemoService } from './demo-service.ts'

const FILE = `external_id;name;cnpj;country
1042;Café do Norte;11.222.333/0001-81;BR
1043;Livraria Azul;11.222.333/0001-80;BR
1044;Harbor Books;;US
`

type Staff = { id: number; name: string; roles: string[] }

export async function demoImport(service: DemoService, email: string): Promise<void> {
  const [staff] = await service.transactions.read(
    null,
    sql<Staff>`select id, name, roles from users where email = ${email}`,
  )
  if (!staff) return
  const origin = service.origin()
  const io = demoIo(service, null)
  const file = { fileName: 'customers.csv', stream: Readable.from([Buffer.from(FILE)]) }
  const received = await receiveImport(io, file)
  const body = { kind: 'organizations', format: 'csv', source: 'whmcs', dry_run: true } as const
  const permissions = permissionsOf(staff.roles)
  const caller: Caller = { ...origin.caller, kind: 'user', userId: staff.id, name: staff.name, permissions }
  await service.transactions.asSystem('the demo', { ...origin, caller }, (ctx) => startImport(ctx, body, received))
}
