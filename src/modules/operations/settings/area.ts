// The settings of the legal entities, and of the vendor (docs/interface/operations.md, Settings).
import { area } from '#http/manifest/area.ts'
import { settingsRoutes } from './routes.ts'

export const settingsArea = area({
  name: 'settings',
  description: 'The rules of business of the legal entities, and those that they share.',
  routes: settingsRoutes,
  tables: ['company_settings', 'company_settings_history'],
})
