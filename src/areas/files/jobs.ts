// What the worker does for files: takes bytes away whose row is gone, or never came.
import { organizationJob } from '#kernel/jobs/jobs.ts'
import '#ports/ports.ts'
import { removeFile } from './file-removal.ts'

export const fileJobs = [
  organizationJob(removeFile, {
    before: ({ ports }, { payload }) => ports.files.remove(payload.storage_key),
  }),
]
