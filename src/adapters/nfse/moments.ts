// Times in the format of the national system: Brasília's time with its offset, without a fraction of a second.

const OFFSET_MS = 3 * 60 * 60 * 1000

/** `2026-11-20T14:05:00-03:00`. Brazil has had no summer time since 2019. */
export const brasiliaTime = (moment: Date): string =>
  `${new Date(moment.getTime() - OFFSET_MS).toISOString().slice(0, 19)}-03:00`

/** The calendar day in Brasília. */
export const brasiliaDay = (moment: Date): string => brasiliaTime(moment).slice(0, 10)

/** Reads a time of the authority; null for other text. */
export function readMoment(text: string | null): Date | null {
  if (text === null || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(text)) return null
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? null : moment
}
