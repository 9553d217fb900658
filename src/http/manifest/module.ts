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
  /** What staff have to read, besides jobs, to see its bodies; null for nothing. */
  reads: 'finances' | 'tickets' | null
  handle: JobKind<{ provider_event_id: number }>
  /** Events with the same key are handled in order. Gets the event as it was read, of any version of the code. */
  keyOf?: (event: unknown) => string | undefined
}

/** What erasures do with its tables; each is emptied before those that it refers to. */
type ErasureRules = {
  /** Emptied with the organization, those of the top floor first. */
  readonly working?: readonly string[]
  /** Emptied after the years of fiscal law, those of the lowest floor first: what is delivered refers to its order. */
  readonly fiscal?: readonly string[]
  /** By table and column that holds the id of an account. */
  readonly people?: Readonly<Record<string, PersonalColumn>>
  /** What has to be settled before an organization is erased: by name, the table and its condition. */
  readonly obstacles?: Readonly<Record<string, string>>
}

/** What exports and erasures of a person do with the rows. */
type PersonalColumn = {
  /**
   * `row`: the row is about the person, or they wrote it. `reference`: the row is an organization's record in which the
   * person had a part; which record, when, and as what, is theirs.
   */
  readonly exports: 'row' | 'reference'
  /** Columns that hold a copy of the name or of an address, and what an erasure writes there. */
  readonly erased?: Readonly<Record<string, string | null>>
  /** The same, when the years of fiscal law are over. */
  readonly erasedLater?: Readonly<Record<string, null>>
}
