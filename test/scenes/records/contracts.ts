// A contract in force, with a step of its history.
import { type AddRecords, activated } from '../records.ts'

export const addRecords: AddRecords = async ({ app, add, records: { entitlements, code } }) => {
  const hangs = { entitlement_id: entitlements, entitlement_code: code }
  const agreed = { title: 'Frame', start_date: '2026-01-01', company: 'entity_br', status: 'active' }
  const contracts = await add('contracts', { ...hangs, ...agreed, activated_at: app.clock.now })
  await add('contract_history', { contract_id: contracts, ...activated(app) })
  const found = { resource: 'contract', resource_id: contracts, field: 'title', term: 'frame' }
  await app.database.query(
    `insert into search_terms (organization_id, resource, resource_id, field, term)
     select organization_id, $1, $2, $3, $4 from contracts where id = $2`,
    Object.values(found),
  )
  return { contracts }
}
