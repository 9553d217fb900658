// The time of an organization, and real time. They differ where an organization has a test clock (docs/decisions/0062).

export type Clock = {
  /** The only clock of rules and records, never the database's: in an organization with a test clock, its time. */
  now: Date
  /**
   * For who may enter (memberships, invites, links), leases, and what other systems do. The same as `now`, unless the
   * organization has a test clock.
   */
  realNow: Date
}

/** So many seconds later in real time: the end of a link, an invite or a lease. With fewer than 0, so many before. */
export const fromNow = ({ realNow }: Clock, seconds: number): Date => new Date(realNow.getTime() + seconds * 1000)

/** Whether such an end has come. */
export const isPast = ({ realNow }: Clock, end: string | Date): boolean => new Date(end) <= realNow
