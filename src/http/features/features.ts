// What a route may have besides the steps of every request: each that takes more than a line is a file of this folder,
// and so is what all requests of a kind have (idempotency keys, `If-Match`).
import type { IoContext, OrganizationContext } from '#kernel/data/context.ts'
import type { RecordKind } from '#kernel/data/record-kind.ts'
import type { CallerContext } from '#kernel/data/route-contexts.ts'
import type { Input } from '#http/route.ts'
import type { FileAnswer, FileMaker, Upload } from './file-bodies.ts'

export type Features<Data = unknown, Params = never, Query = never, Prepared = unknown> = {
  limit?: Limit
  /** The answer is the same for everybody: caches keep it so long, and pages of any host may show it. */
  cacheSeconds?: number
  /** The answer contains a secret: never stored, never cached. */
  secret?: true
  /** Takes the session cookie without a nonce (GET /auth/session only). */
  cookieAlone?: true
  /** A dangerous act: needs a recent proof of who the caller is (STEP_UP_MINUTES). A function: with such bodies. */
  stepUp?: true | ((body: Record<string, unknown>) => boolean)
  /** No API key of the vendor may do it; so it is with what needs a recent proof. */
  person?: true
  /** Open to a vendor's key for some organizations: `read` limits what it gives to its context's `organizations`. */
  limitsOrganizations?: true
  /**
   * Takes `?dry_run=true`. Only where all that `run` does is in its transaction, and `before` asks nobody to do
   * anything. In organizations only.
   */
  dryRun?: true
  /** Goes on the day `sunset`, in favour of the operation `use` (docs/compatibility.md); its answers say so. */
  deprecated?: { since: string; sunset: string; use: string }
  /** Instead of `read` and `run`: its operations are requests of other routes. In organizations only. */
  bulk?: true
  /** What its records are, for `expand`. Records that belong to organizations only. */
  record?: RecordKind
  /** A replica may answer (docs/operations.md): nothing that somebody reads to see their own change. */
  mayBeStale?: true
  /** With the query parameters `wait` and `after`: which event the answer waits for; null when it need not wait. */
  longPoll?: { nextOf: (data: Data) => number | null }
  /** A change that follows a read, when the row that was read needs it. */
  afterRead?: {
    when: (data: Data, callerContext: CallerContext) => boolean
    run: (ctx: OrganizationContext, data: Data) => Promise<Data>
  }
  /** The field of the answer that is only the time of the answer: its `ETag` is made without it. */
  moment?: keyof Data & string
  /** Makes the answer a file from the data of the read. Reads only. */
  file?: FileMaker<Data>
  /** What else than JSON the answer may be: null where the request asks for JSON. Reads only. */
  forms?: {
    produces: readonly string[]
    make: (io: IoContext, data: Data, input: Input<never, Query, never>) => FileAnswer | null
  }
  /** The body is a file with fields; `run` gets the result of `receive` as `prepared`. Excludes `before`. */
  upload?: Upload<Params, Query, Prepared>
}

/** The rate limit of a route that has no credentials, or that could be used for guessing. */
export type Limit = {
  policy: 'credentials' | 'public' | 'reports'
  /** The e-mail address whose account the body could guess at. */
  account?: (body: Record<string, unknown>) => string | undefined
  /** The key of the body whose uses are counted too. */
  key?: (body: Record<string, unknown>) => string | undefined
  /** When present, only such bodies count here, and all bodies of an open route count as requests of the caller. */
  when?: (body: Record<string, unknown>) => boolean
}
