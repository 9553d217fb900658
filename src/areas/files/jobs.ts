// What the worker does for files: takes bytes away whose row is gone, or never came.
import { organizationJob } from '#kernel/jobs/jobs.ts'
import '#ports/ports.ts'

export const fileJobs = [
  organizationJob({
    kind: 'files/remove',
    before: ({ ports }, { payload }) => ports.files.remove(String(payload['storage_key'])),
  }),
]
