// Times that other systems write. JavaScript reads one without a zone in the zone of the process.

/** Null for what is no time, or none of a known zone. */
export function momentIn(text: string): Date | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)$/.test(text)) return null
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? null : moment
}
