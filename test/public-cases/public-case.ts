// Small inputs of other people's systems, each with what must happen by a published standard.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type PublicCase = {
  /** The name of its folder under `inputs/`, and of the test. */
  name: string
  /** What must happen, in a sentence. */
  expected: string
  /** The standard or the document that says so. */
  standard: string
  /** Runs the case; expectations are inside. `read` gives a file of its folder. */
  check: (read: ReadInput) => Promise<void>
}

export type ReadInput = { text: (file: string) => string; json: (file: string) => any; bytes: (file: string) => Buffer }

const inputs = join(import.meta.dirname, 'inputs')

export function readerOf(name: string): ReadInput {
  const bytes = (file: string) => readFileSync(join(inputs, name, file))
  const text = (file: string) => bytes(file).toString('utf8')
  return { bytes, text, json: (file) => JSON.parse(text(file)) }
}
