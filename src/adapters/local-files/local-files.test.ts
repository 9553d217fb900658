// Files in a local directory: the port's contract, and the stored files.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Files } from '#ports/files.ts'
import { filesContract, newFileKey } from '#ports/files.contract.ts'
import { FULL_DISK, printedWith } from '#test/harness/limited.ts'
import { piecesOf } from '#test/scenes/file-contents.ts'
import { createLocalFiles } from './local-files.ts'

let directory: string
let local: Files

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'titular-files-'))
  local = createLocalFiles({ directory })
})
afterAll(() => rm(directory, { recursive: true, force: true }))

filesContract('a directory', () => local)

describe('local files', () => {
  it('have random names, and leave no temporary file', async () => {
    const names = (await readdir(directory, { recursive: true })).filter((name) => name.includes('/'))
    expect(names.length).toBeGreaterThan(2)
    expect(names.filter((name) => !/^42\/[0-9a-f]{32}$/.test(name))).toEqual([])
  })
  it('are not stored when the disk writes a part only', async () => {
    const key = newFileKey()
    const script = `${opened()}
      async function* whole() { yield Buffer.alloc(10_000, 97) }
      await local.put('${key}', whole()).catch((error) => console.log(error.constructor.name, error.cause?.code))`
    expect(await printedWith(FULL_DISK, script)).toBe('FilesUnavailable EFBIG')
    expect(await local.get(key)).toBeNull()
  })
  it('are unavailable while the process may open no more files', async () => {
    const key = newFileKey()
    await local.put(key, piecesOf('whole'))
    const script = `${opened()}
      const { openSync } = await import('node:fs')
      try { while (openSync('/dev/null')) {} } catch {}
      await local.get('${key}').catch((error) => process._rawDebug(error.constructor.name, error.cause?.code))`
    expect(await printedWith('exec 2>&1; ulimit -n 100', script)).toBe('FilesUnavailable EMFILE')
  })
})

/** The beginning of a script that has the directory. */
const opened = (): string => `
  const { createLocalFiles } = await import(${JSON.stringify(new URL('./local-files.ts', import.meta.url).href)})
  const local = createLocalFiles({ directory: ${JSON.stringify(directory)} })`
