// The columns that the address of a list names.
import type { Column } from '../resources/resource.ts'

/** In the order of the list; all of them where the address names none of them. */
export function chosenOf(columns: readonly Column[], chosen: string): readonly Column[] {
  const names = new Set(chosen.split(','))
  const shown = columns.filter(({ field }) => names.has(field))
  return shown.length > 0 ? shown : columns
}
