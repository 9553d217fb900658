// What the readers of a file have in common: the lines as they come, within bounds.
import type { Fields } from '#kernel/values/validation/problems.ts'

/** One line of the file, which in a CSV may have line breaks inside of its quotation marks. */
export type Entry = {
  /** Where it begins, from 1. */
  line: number
  /** The line of the file with which it ends, and the byte after it. */
  lastLine: number
  end: number
  values: Record<string, unknown>
  /** What kept it from being read. */
  problems: Fields
}

/** How far a file was read: bytes and lines. */
export type Place = { position: number; line: number }

/** Longer than any record; a file without line breaks takes no more memory than this. */
export const MOST_LINE_BYTES = 1_048_576

/** The rest of the file cannot be told apart into lines. */
export class BrokenFile extends Error {
  /** Null when it is the file as a whole. */
  readonly line: number | null
  readonly problem: string
  constructor(line: number | null, problem: string) {
    super(line === null ? problem : `line ${line}: ${problem}`)
    this.line = line
    this.problem = problem
  }
}

export const TOO_LONG = `is longer than ${MOST_LINE_BYTES} bytes`
