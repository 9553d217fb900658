// Moments as the national system takes them: Brasília's time with its offset, no fraction of a second.

const OFFSET_MS = 3 * 60 * 60 * 1000

/** `2026-11-20T14:05:00-03:00`. Brazil has had no summer time since 2019. */
export const brasiliaTime = (moment: Date): string =>
  `${new Date(moment.getTime() - OFFSET_MS).toISOString().slice(0, 19)}-03:00`

/** The calendar day of the moment there. */
export const brasiliaDay = (moment: Date): string => brasiliaTime(moment).slice(0, 10)

/** A moment that the authority wrote; null when it is none. */
export function readMoment(text: string | null): Date | null {
  if (text === null || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(text)) return null
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? null : moment
}
