// Uploads of every area.
import { area } from '#http/manifest/area.ts'
import { fileJobs } from './jobs.ts'

export const filesArea = area({
  name: 'files',
  description: 'Uploads: received, measured, kept and removed.',
  jobs: fileJobs,
})
