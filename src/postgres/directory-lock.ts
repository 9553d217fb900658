// Allows one service per data directory, by an operating-system lock that ends with its process, also after kill -9.
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartupError } from './startup-error.ts'

const SQLITE_BUSY = 5

// Node has no flock. An exclusive transaction of SQLite locks the file for all processes of the machine, those in other
// containers included, and for a second opening in this process. Nothing is ever written into the file.
export function lockDirectory(directory: string): () => void {
  const holderFile = join(directory, 'service.pid')
  const lockFile = join(directory, 'service.lock')
  // Created with mode 600, so that no other user can open and lock it.
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
