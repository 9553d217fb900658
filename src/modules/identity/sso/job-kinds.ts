// The jobs of single sign-on.
import { eventJobKind, jobKind } from '#kernel/data/job-kinds.ts'
import { Id } from '#kernel/values/schema.ts'

/** Sessions that the connection opened end, and it knows no account any more. */
export const endConnection = jobKind('sso/end-connection', { connection_id: Id })
/** After each change of a site: its domain may be proven now, or no longer. */
export const propagateProof = eventJobKind('sso/propagate-proof')
export const removeOver = jobKind('sso/remove-over', {})
