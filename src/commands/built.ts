// Whether there is a build, and of these very sources (docs/decisions/0049).
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const ENTRY = 'command-line'
export const MANIFEST = 'sources.json'

/** The address of the built command line; null without a build, and once a source, or the lock file, is another. */
export function builtEntry(root: string, directory: string): string | null {
  try {
    const manifest: { sources: string[]; digest: string } = JSON.parse(readFileSync(join(directory, MANIFEST), 'utf8'))
    if (manifest.digest !== digestOf(root, manifest.sources)) return null
    return pathToFileURL(join(directory, `${ENTRY}.js`)).href
  } catch (error) {
    // A file that is not there, or a manifest that was not completed.
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return null
    throw error
  }
}

/** Of contents, not of times, which a copy or an image changes: 20 ms. A new file counts once a listed one imports it. */
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
