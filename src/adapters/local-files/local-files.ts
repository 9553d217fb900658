// Files in a local directory that nothing serves: written beside their place, synced, then renamed.
import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkedKey, type Files } from '#ports/files.ts'

export function createLocalFiles(options: { directory: string }): Files {
  const pathOf = (key: string): string => join(options.directory, ...checkedKey(key).split('/'))
  return {
    put: async (key, content) => {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const part = `${path}.${randomBytes(4).toString('hex')}.part`
      try {
        await writeWhole(part, content)
        await rename(part, path)
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    get: async (key) => {
      const handle = await open(pathOf(key), 'r').catch((error: unknown) => {
        if (isMissing(error)) return null
        throw error
      })
      if (!handle) return null
      const { size } = await handle.stat()
      return { content: handle.createReadStream(), size }
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    link: () => null,
  }
}

async function writeWhole(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    // Unlike write(), which may take a part of a chunk only, as a disk does that is about to be full.
    for await (const chunk of content) await handle.writeFile(chunk)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'
