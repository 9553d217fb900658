// Teams of the vendor's staff, by whom tickets are divided (docs/interface/support.md, Teams).
import { area } from '#http/manifest/area.ts'
import { teamRoutes } from './routes.ts'

export const teamsArea = area({
  name: 'teams',
  description: 'Teams of the vendor’s staff, by whom tickets are divided.',
  routes: teamRoutes,
  tables: ['teams', 'team_members'],
})
