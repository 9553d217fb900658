// What a route's declarations are given besides the input: for reads before and after the access check.
import type { Caller, Ports } from './context.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { Clock } from '#kernel/values/time/clock.ts'

/** What a read knows before the access check: the header's organization, not yet whether the caller may read it. */
export type ReadContext = Clock & {
  org: number
  userId: number
  /** 0 for an API key. */
  sessionId: number
  /** Of a vendor's key for some organizations (`limitsOrganizations`): the list is limited to them. Else null. */
  organizations: readonly number[] | null
  company: Company | null
  ports: Ports
}

/** The result of the access check, for reads whose answer depends on the caller. */
export type CallerContext = Clock & {
  caller: Caller
  scopes: readonly string[]
  organizationId: number | null
  role: string
  ports: Ports
  acceptLanguage: string | undefined
}
