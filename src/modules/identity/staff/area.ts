// The vendor's staff: who they are, with which roles, and why they enter an organization (docs/interface/identity.md,
// Staff).
import { area } from '#http/manifest/area.ts'
import { staffJobs } from './jobs.ts'
import { publishedStaffEntries } from './published.ts'
import { staffRoutes } from './routes.ts'

export const staffArea = area({
  name: 'staff',
  description: 'The vendor’s staff and their roles.',
  routes: staffRoutes,
  jobs: staffJobs,
  tables: ['staff_entries'],
  published: [publishedStaffEntries],
})
