// Files in a local directory: the port's contract, and the stored files.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Files } from '#ports/files.ts'
import { filesContract, newFileKey } from '#ports/files.contract.ts'
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
    // Bytes over the limit of the process are not written, as on a full disk.
    const limited = `trap '' XFSZ; ulimit -f 8; exec "$0" --input-type=module -e "$1" "$2" "$3" "$4"`
    const script = `const [place, directory, key] = process.argv.slice(1)
      const { createLocalFiles } = await import(place)
      async function* whole() { yield Buffer.alloc(10_000, 97) }
      await createLocalFiles({ directory }).put(key, whole()).catch((error) => console.log(error.constructor.name, error.cause?.code))`
    const place = new URL('./local-files.ts', import.meta.url).href
    const { stdout } = await promisify(execFile)('bash', [
      '-c',
      limited,
      process.execPath,
      script,
      place,
      directory,
      key,
    ])
    expect(stdout.trim()).toBe('FilesUnavailable EFBIG')
    expect(await local.get(key)).toBeNull()
  })
})
