// A percentage as the layout writes it.
import { line } from './wording.ts'

/** `2`, `2.5` and `02.50` as `2.00`, `2.50` and `2.50`. */
export function percent(given: string | undefined): string | null {
  const [, whole, fraction = ''] = /^0*(\d+)(?:\.(\d{1,2}))?$/.exec(line(given ?? null, 9) ?? '') ?? []
  return whole === undefined ? null : `${whole}.${fraction.padEnd(2, '0')}`
}
