// The paths of the embedded PostgreSQL below the data directory, and the account that runs it.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, link, mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Account } from './binaries.ts'
import { StartupError } from './startup-error.ts'

export type ClusterPaths = {
  folder: string
  // The cluster; the only folder that belongs to the account that runs PostgreSQL.
  data: string
  startLog: string
  portFile: string
  password: string
  account: Account | undefined
}

export async function prepareClusterPaths(dataDir: string): Promise<ClusterPaths> {
  const isRoot = process.getuid?.() === 0
  const requested = join(dataDir, 'postgres')
  try {
    await mkdir(requested, { recursive: true, mode: 0o700 })
    // PostgreSQL's account may pass through the folder but not list it.
    if (isRoot) await chmod(requested, 0o711)
    const folder = await realpath(requested)
    return await pathsIn(folder, isRoot)
  } catch (cause) {
    if (cause instanceof StartupError) throw cause
    throw new StartupError(`${requested} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
  }
}

// For a server that another process may have started; undefined when there is no cluster.
export async function existingClusterPaths(dataDir: string): Promise<ClusterPaths | undefined> {
  const folder = await realpath(join(dataDir, 'postgres')).catch(() => undefined)
  if (!folder || !(await isFolder(join(folder, 'data')))) return undefined
  return pathsIn(folder, process.getuid?.() === 0)
}

async function pathsIn(folder: string, isRoot: boolean): Promise<ClusterPaths> {
  const data = join(folder, 'data')
  return {
    folder,
    data,
    startLog: join(folder, 'start.log'),
    portFile: join(folder, 'port'),
    password: await password(join(folder, 'password')),
    account: isRoot ? await unprivilegedAccount(data) : undefined,
  }
}

// The complete file is linked under its name, which only one of several first starts can do.
async function password(file: string): Promise<string> {
  const known = await readFile(file, 'utf8').catch(ignore('ENOENT'))
  if (known) return known.trim()
  const fresh = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(fresh, `${randomBytes(24).toString('base64url')}\n`, { flag: 'wx', mode: 0o600, flush: true })
  try {
    await link(fresh, file).catch(ignore('EEXIST'))
  } finally {
    await rm(fresh)
  }
  return (await readFile(file, 'utf8')).trim()
}

function ignore(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error
  }
}

async function unprivilegedAccount(data: string): Promise<Account> {
  const owner = await stat(data).catch(() => undefined)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const run = promisify(execFile)
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, name])))
      if (uid && gid) return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
    } catch {
      // There is no such user; try the next name.
    }
  }
  throw new StartupError('PostgreSQL refuses to run as root and there is no user "postgres" or "nobody" to run it as.')
}

export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  )
}

// PostgreSQL's account must own what it reads and writes.
export async function handOver(path: string, account: Account | undefined): Promise<void> {
  if (account) await chown(path, account.uid, account.gid)
}
