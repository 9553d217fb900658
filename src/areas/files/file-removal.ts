// The job that takes bytes away: enqueued with the row that is removed, and as the claim on bytes that have no row yet.
import { Type } from 'typebox'
import { jobKind } from '#kernel/jobs/job-kinds.ts'

export const removeFile = jobKind('files/remove', { storage_key: Type.String() })
