// The entry: switches the cache of compiled code on, then reads the command line.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Modules that are read before this are compiled, and stripped of their types, at every start: so nothing else is imported
// above. A folder that cannot be written is no failure; NODE_COMPILE_CACHE names another.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/node'))

await import('./commands/command-line.ts')
