// A column with a time, moved. In UTC, since a day has no other length there: nodes of a cluster change rows by nothing that
// depends on a session's time zone.

/** SQL: `shifted('expires_at', '- 1 day')`, with an interval as PostgreSQL reads it, or an expression that gives one. */
export const shifted = (column: string, by: string): string => {
  const [, sign, length] = /^([+-]) (.+)$/.exec(by) ?? []
  if (sign === undefined || length === undefined) throw new Error(`Not + or - and an interval: ${by}`)
  const interval = /[($]/.test(length) ? length : `interval '${length}'`
  return `(${column} at time zone 'UTC' ${sign} ${interval}) at time zone 'UTC'`
}
