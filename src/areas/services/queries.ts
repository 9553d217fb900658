// All SQL of services.
import { page, row } from '#kernel/route.ts'
import { raw, sql, when } from '#kernel/sql.ts'
import { Service, type ServiceFilters } from './service.ts'

const columns = sql`${raw(Object.keys(Service.properties).join(', '))}`

export const services = {
  page: (org: number, query: ServiceFilters) =>
    page(query, {
      columns,
      from: sql`from services where organization_id = ${org}
        ${when(query.status, (status) => sql`and status = ${status}`)}
        ${when(query.lifecycle, (lifecycle) => sql`and lifecycle = ${lifecycle}`)}`,
    }),
  byId: (org: number, id: number) =>
    row<Service>(sql`select ${columns} from services where organization_id = ${org} and id = ${id}`),
}
