// Exports of reports and lists (docs/interface/operations.md, Exports).
import { area } from '#http/manifest/area.ts'
import { exportSources } from './export-source.ts'
import { exportJobs } from './jobs.ts'
import { exportRoutes } from './routes.ts'

export const exportsArea = area({
  name: 'exports',
  description: 'Reports and lists of staff as files, which a job writes.',
  fromRoutes(routes) {
    const sources = exportSources(routes)
    return { routes: exportRoutes(sources), jobs: exportJobs(sources) }
  },
  tables: ['exports'],
})
