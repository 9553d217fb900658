// The manifest of a module. src/modules.ts lists the eight, and puts together what their areas declare.
import type { JobKind } from '#kernel/data/job-kinds.ts'
import type { Area } from './area.ts'

export type Module<Announcement = never> = {
  /** The name of its folder. */
  readonly name: string
  readonly areas: readonly Area<Announcement>[]
  /** Why its operations refuse (`errors.reason`): what each means, and what to do. */
  readonly reasons: Readonly<Record<string, string>>
  /** The senders of webhooks whose events it handles. */
  readonly inboundSources?: readonly InboundSource[]
  readonly erasure?: ErasureRules
}

/** A sender of webhooks, declared beside the job that handles its events. */
export type InboundSource = {
  /** The providers whose events the job handles, as `source` of provider_events names them. */
  names: readonly string[]
  /** Its bodies have sums, for whoever may read finances. */
  hasSums: boolean
  handle: JobKind<{ provider_event_id: number }>
  /** Events with the same key are handled in order. Gets the event as it was read, of any version of the code. */
  keyOf?: (event: unknown) => string | undefined
}

/** The tables that the erasure of an organization empties, each before those that it refers to. */
type ErasureRules = {
  /** Emptied with the organization, those of the top floor first. */
  readonly working?: readonly string[]
  /** Emptied after the years of fiscal law, those of the lowest floor first: what is delivered refers to its order. */
  readonly fiscal?: readonly string[]
}
