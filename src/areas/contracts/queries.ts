// All SQL of contracts.
import { page, parentIn, row } from '#kernel/route.ts'
import { raw, sql, when } from '#kernel/sql.ts'
import { Contract, type ContractFilters } from './contract.ts'

const columns = sql`${raw(Object.keys(Contract.properties).join(', '))}`

export const contracts = {
  page: (org: number, query: ContractFilters) =>
    page(query, {
      columns,
      from: sql`from contracts where organization_id = ${org} ${when(query.status, (status) => sql`and status = ${status}`)}`,
    }),
  ofEntitlement: (org: number, entitlementId: number, query: ContractFilters) =>
    page(query, {
      columns,
      from: sql`from contracts where organization_id = ${org} and entitlement_id = ${entitlementId}
        ${when(query.status, (status) => sql`and status = ${status}`)}`,
      parent: parentIn('entitlements', org, entitlementId),
    }),
  byId: (org: number, id: number) =>
    row<Contract>(sql`select ${columns} from contracts where organization_id = ${org} and id = ${id}`),
}
