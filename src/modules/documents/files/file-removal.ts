// The kind of the job that removes bytes: enqueued when their row is removed, and as the claim on bytes without a row
// yet.
import { Type } from 'typebox'
import { jobKind } from '#kernel/data/job-kinds.ts'

export const removeFile = jobKind('files/remove', { storage_key: Type.String() })
