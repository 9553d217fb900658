// An organization and a quote of it in the CRM, and a change from there that staff are offered.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app, organization, add, records: { quotes } }) => {
  await app.database.query(
    `with company as (
       insert into crm_companies (organization_id, company, provider, crm_id, synced_at)
       values ($1, 'entity_br', 'hubspot', $2, $3))
     insert into crm_deals (organization_id, company, provider, crm_id, synced_at, quote_id, sent, stage, crm_stage)
     values ($1, 'entity_br', 'hubspot', $2, $3, $4, '{}', 'contractsent', 'contractsent')`,
    [organization.id, `c-${quotes}`, app.clock.now, quotes],
  )
  const offered = { field: 'phone', current_value: null, proposed_value: '+55 11 5555-0199' }
  return { proposals: await add('crm_proposals', { company: 'entity_br', ...offered }) }
}
