// Integrations: other systems that the service agrees with.
import type { Module } from '#http/manifest/module.ts'
import { commerceArea } from './commerce/area.ts'
import { crmArea } from './crm/area.ts'
import { importsArea } from './imports/area.ts'
import { webhooksArea } from './webhooks/area.ts'
import { commerceSource } from './commerce/handle-commerce-event.ts'
import { crmSource } from './crm/handle-crm-event.ts'
import { integrationsReasons } from './reasons.ts'

export const integrations: Module = {
  name: 'integrations',
  areas: [webhooksArea, crmArea, commerceArea, importsArea],
  reasons: integrationsReasons,
  inboundSources: [commerceSource, crmSource],
  erasure: {
    working: ['commerce_orders', 'crm_deals', 'crm_companies', 'crm_proposals', 'imported_records'],
    people: {
      'crm_proposals.decided_by': { exports: 'reference' },
      'imports.created_by': { exports: 'reference', erased: { created_by_name: 'erased' } },
    },
  },
}
