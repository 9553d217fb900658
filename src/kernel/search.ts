// Search texts: what the user typed is text, never a pattern.
import { type Statement, raw, sql } from './sql.ts'

/** `%text%` for LIKE with the text's own signs escaped. */
export const likePattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** `text` is part of the column's value, whatever its case and accents. `column` is trusted text. */
export const contains = (column: string, text: string): Statement =>
  sql`fold(${raw(column)}) like fold(${likePattern(text)})`
