// One service per data directory: an operating-system lock that dies with its holder, so kill -9 leaves nothing to clean.
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartupError } from './startup-error.ts'

const SQLITE_BUSY = 5

// Node has no flock. SQLite's exclusive transaction is a lock on the file, known to every process of the machine, also
// from another container, and to a second opening within this process; nothing is ever written into the file.
export function lockDirectory(directory: string): () => void {
  const holderFile = join(directory, 'service.pid')
  const lockFile = join(directory, 'service.lock')
  // Made here so that nobody else can open it, and so hold up a start with a lock of their own.
  closeSync(openSync(lockFile, 'a', 0o600))
  const lock = new DatabaseSync(lockFile, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch (cause) {
    lock.close()
    const isHeld = cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY
    if (!isHeld) throw cause
    throw new StartupError(`Another service${holder(holderFile)} already runs on ${directory}: stop it first.`, {
      cause,
    })
  }
  writeFileSync(holderFile, `${process.pid}\n`, { mode: 0o600 })
  return () => {
    if (lock.isOpen) lock.close()
  }
}

function holder(file: string): string {
  try {
    return ` (process ${readFileSync(file, 'utf8').trim()})`
  } catch {
    return ''
  }
}
