// A backup is a whole file or none.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FULL_DISK, printedWith } from '#test/harness/limited.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'titular-backup-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

it('on a full disk fails, leaves no part of a file, and keeps the backup that had its name', async () => {
  const file = join(directory, 'daily')
  await writeFile(file, 'of yesterday')
  const script = `
    const { writeBackup } = await import(${JSON.stringify(new URL('./backup-file.ts', import.meta.url).href)})
    const { randomBytes } = await import('node:crypto')
    async function* rows() { for (let chunk = 0; chunk < 10; chunk++) yield randomBytes(10_000) }
    await writeBackup(${JSON.stringify(file)}, { tables: [{ name: 'orders', columns: [], rows: 1 }] }, rows)
      .then(() => console.log('written'), (error) => console.log(error.code))`
  expect(await printedWith(FULL_DISK, script)).toBe('EFBIG')
  expect(await readdir(directory)).toEqual(['daily'])
  expect(await readFile(file, 'utf8')).toBe('of yesterday')
})
