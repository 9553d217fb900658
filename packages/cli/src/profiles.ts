// Profiles: which service, who calls and where in, in files that only their owner reads.
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { StoredTokens } from '@titular/sdk'
import { maybe } from './catalogue.ts'
import type { Console } from './console.ts'
import { UsageError } from './usage-error.ts'

export type Session = { kind: 'session'; id: string; tokens: StoredTokens | null }
export type ProfileCredentials =
  | Session
  | { kind: 'key'; key: string; secret: string }
  | { kind: 'token'; token: string }
export type Profile = {
  url: string
  account?: string
  organization?: number
  company?: string
  language?: string
  credentials: ProfileCredentials | null
}

export type Profiles = ReturnType<typeof profilesOf>
type Environment = Console['env']

export function profilesOf(env: Environment) {
  const directory = join(homeOf(env, 'XDG_CONFIG_HOME', '.config'), 'titular')
  const pathOf = (name: string): string => join(directory, 'profiles', `${assertName(name)}.json`)
  const names = (): string[] => {
    try {
      const files = readdirSync(join(directory, 'profiles'))
      return files.flatMap((file) => (/^[^.].*\.json$/.test(file) ? [file.slice(0, -'.json'.length)] : [])).toSorted()
    } catch {
      return []
    }
  }
  const find = (name: string): Profile | null => {
    const found: Profile | null = parsed(pathOf(name))
    return found
  }
  return {
    names,
    find,
    get(name: string): Profile {
      const found = find(name)
      if (!found) throw new UsageError(`There is no profile "${name}"${maybe(name, names())}`)
      return found
    },
    save: (name: string, profile: Profile) => writePrivately(pathOf(name), JSON.stringify(profile, null, 2)),
    /** The one that is used where none is named. */
    current: (): string => {
      const chosen: { profile?: string } | null = parsed(join(directory, 'config.json'))
      return chosen?.profile ?? 'default'
    },
    use: (name: string) => writePrivately(join(directory, 'config.json'), JSON.stringify({ profile: name }, null, 2)),
    remove: (name: string) => rmSync(pathOf(name), { force: true }),
  }
}

/** Where a reader of events has got to. */
export function cursorsOf(env: Environment) {
  // Of any length: a name of a file has 255 bytes at most.
  const pathOf = (key: string): string => {
    const name = createHash('sha256').update(key).digest('hex')
    return join(homeOf(env, 'XDG_STATE_HOME', '.local/state'), 'titular', `${name}.json`)
  }
  return {
    read: (key: string): number | undefined => {
      const found: { after?: number } | null = parsed(pathOf(key))
      return found?.after
    },
    write: (key: string, after: number) => writePrivately(pathOf(key), JSON.stringify({ after })),
  }
}

/** By the XDG specification only an absolute path counts: another one would be below wherever the program is called. */
function homeOf(env: Environment, variable: string, folder: string): string {
  const given = env[variable] ?? ''
  return isAbsolute(given) ? given : join(env['HOME'] || homedir(), folder)
}

function assertName(name: string): string {
  if (!/^\w[\w.@-]{0,63}$/.test(name)) throw new UsageError(`"${name}" cannot be the name of a profile`)
  return name
}

/** Null where there is no file. What is wrong with another one is said without its text, which may be a secret. */
function parsed(path: string) {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new UsageError(`${path} cannot be read`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${path} is no JSON; remove it, and sign in again`)
  }
}

/** Whole or not at all: a reader gets the file of before or the new one. */
function writePrivately(path: string, text: string): void {
  const directory = join(path, '..')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const beside = join(directory, `.${randomBytes(8).toString('hex')}`)
  try {
    writeFileSync(beside, `${text}\n`, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(beside, path)
  } finally {
    rmSync(beside, { force: true })
  }
}
