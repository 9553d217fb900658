// Exports of reports and lists (docs/interface/operations.md, Exports).
import { area } from '#http/manifest/area.ts'
import type { Route } from '#http/route.ts'
import { exportSources } from './export-source.ts'
import { exportJobs } from './jobs.ts'
import { exportRoutes } from './routes.ts'

/** Of the lists of staff among the routes. */
export const exportsArea = (routes: readonly Route[]) => {
  const sources = exportSources(routes)
  return area({
    name: 'exports',
    description: 'Reports and lists of staff as files, which a job writes.',
    routes: exportRoutes(sources),
    jobs: exportJobs(sources),
    tables: ['exports'],
  })
}
