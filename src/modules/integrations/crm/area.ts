// The CRM (docs/crm.md): organizations as companies, sent quotes as deals, and what salespeople changed there.
import { area } from '#http/manifest/area.ts'
import { handleCrmEventJob } from './handle-crm-event.ts'
import { crmProposalsTable } from './proposal.ts'
import { crmRoutes } from './routes.ts'
import { syncCompanyJob } from './sync-company.ts'
import { syncDealJob } from './sync-deal.ts'
import { changeJobs, crmConsumers } from './sync-jobs.ts'

export const crmArea = area({
  name: 'crm',
  description: 'Organizations and quotes in the CRM of each legal entity, and what salespeople changed there.',
  routes: crmRoutes,
  jobs: [syncCompanyJob, syncDealJob, handleCrmEventJob, ...changeJobs],
  consumers: crmConsumers,
  tables: ['crm_companies', 'crm_deals', crmProposalsTable.name],
})
