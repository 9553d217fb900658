// The job that removes bytes whose row was removed or never written.
import { systemJob } from '#kernel/jobs/jobs.ts'
import { removeFile } from './file-removal.ts'

export const fileJobs = [
  systemJob(removeFile, {
    before: ({ ports }, { payload }) => ports.files.remove(payload.storage_key),
  }),
]
