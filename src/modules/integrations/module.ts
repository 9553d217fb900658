// Integrations: other systems that the service agrees with.
import type { Module } from '#http/manifest/module.ts'
import { commerceArea } from './commerce/area.ts'
import { crmArea } from './crm/area.ts'
import { importsArea } from './imports/area.ts'
import { webhooksArea } from './webhooks/area.ts'

export const integrations: Module = {
  areas: [webhooksArea, crmArea, commerceArea, importsArea],
}
