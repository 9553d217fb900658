// Runs a script in a process of its own under a limit of the shell, and gives what it printed.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Bytes beyond 8 KiB of a file are not written, as on a full disk. */
export const FULL_DISK = `trap '' XFSZ; ulimit -f 8`

export async function printedWith(limit: string, script: string): Promise<string> {
  const command = `${limit}; exec "$0" --input-type=module -e "$1"`
  const { stdout } = await promisify(execFile)('bash', ['-c', command, process.execPath, script])
  return stdout.trim()
}
