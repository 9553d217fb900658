// A setting of the demo that differs from what the environment says.
import { changeSettings } from '#modules/operations/settings/change-settings.ts'
import type { DemoService } from './demo-service.ts'

export const demoSettings = (service: DemoService) =>
  service.transactions.asSystem('the demo', { ...service.origin(), reason: 'As agreed with the partners' }, (ctx) =>
    changeSettings(ctx, 'entity_br', { commission_days: 45 }),
  )
