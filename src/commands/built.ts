// Whether there is a build, and of these very sources (docs/decisions/0049).
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const ENTRY = 'command-line'
export const MANIFEST = 'sources.json'

type Manifest = { sources: string[]; stamp: string; digest: string }

/** The address of the built command line; null without a build, and once a source, or the lock file, is another. */
export function builtEntry(root: string, directory: string): string | null {
  try {
    const { sources, stamp, digest }: Manifest = JSON.parse(readFileSync(join(directory, MANIFEST), 'utf8'))
    if (stamp !== stampOf(root, sources) && digest !== digestOf(root, sources)) return null
    return pathToFileURL(join(directory, `${ENTRY}.js`)).href
  } catch (error) {
    // A file that is not there, or a manifest that was not completed.
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return null
    throw error
  }
}

/**
 * Sizes and times of the files: a third of the time of their contents, which count where a copy changed the times. Not
 * the times of modification, which archives and copies set.
 */
export function stampOf(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) {
    const { size, ctimeMs } = statSync(join(root, path))
    hash.update(`${path}\0${size}\0${ctimeMs}\0`)
  }
  return hash.digest('hex')
}

/** Of the contents. A new file counts once a listed one imports it. */
export function digestOf(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths)
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0')
  return hash.digest('hex')
}
