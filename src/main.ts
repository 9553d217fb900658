// The entry: switches the cache of compiled code on, then reads the command line, from the build where there is one of
// these sources (docs/decisions/0049).
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

// Modules that are read before this are compiled, and stripped of their types, at every start: so nothing else is
// imported above. A folder that cannot be written is no failure; NODE_COMPILE_CACHE names another.
enableCompileCache(join(ROOT, 'node_modules/.cache/node'))

const { builtEntry } = await import('./commands/built.ts')
const built = builtEntry(ROOT, join(ROOT, 'build'))
if (built === null) await import('./commands/command-line.ts')
else await import(built)
