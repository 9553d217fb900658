// Files in a local directory: written under another name, synced, then renamed.
import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { lengthOf } from '#kernel/values/text/byte-range.ts'
import { checkedKey, type Files, FilesUnavailable, withoutDisk } from '#ports/files.ts'

export function createLocalFiles(options: { directory: string }): Files {
  const pathOf = (key: string): string => join(options.directory, ...checkedKey(key).split('/'))
  return {
    put: async (key, content) => {
      const path = pathOf(key)
      const part = `${path}.${randomBytes(4).toString('hex')}.part`
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await writeWhole(part, content)
        await rename(part, path)
        await syncDirectory(dirname(path))
      } catch (error) {
        await rm(part, { force: true }).catch(() => undefined)
        throw withoutDisk(error)
      }
    },
    get: async (key, range) => {
      const handle = await open(pathOf(key), 'r').catch((error: unknown) => {
        if (isMissing(error)) return null
        throw withoutDisk(error)
      })
      if (!handle) return null
      try {
        const { size } = await handle.stat()
        if (!range) return { content: handle.createReadStream(), size }
        if (range.end >= size) throw new FilesUnavailable('the stored file is shorter than it should be')
        return { content: handle.createReadStream(range), size: lengthOf(range) }
      } catch (error) {
        await handle.close()
        throw withoutDisk(error)
      }
    },
    remove: (key) => rm(pathOf(key), { force: true }),
  }
}

async function writeWhole(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    // writeFile() and not write(), which may write a part of a chunk only when the disk is almost full.
    for await (const chunk of content) await handle.writeFile(chunk)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

// After a power cut a new file has its name only if its directory was synced too.
async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'
