// The file that keeps the signing keys where none are configured: PEMs one after another, the first signs.
import { generateKeyPair } from 'node:crypto'
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { randomToken } from './secrets.ts'
import { MINIMUM_KEY_BITS, splitPems } from './signing-keys.ts'

// Tokens live a day; two older keys cover any rotation that happens less than three times a day.
const OLDER_KEYS_KEPT = 2

/** `make` draws the first key; an RSA key where nothing else is asked for. */
export async function readOrCreateKeyFile(path: string, make = newPrivateKey): Promise<string[]> {
  const existing = await readKeyFile(path)
  if (existing !== undefined) return existing
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = await writeDraft(path, [await make()])
  try {
    // Unlike a rename, a link never replaces: of two processes that start at once the first keeps its key
    // and the second reads it.
    await link(draft, path)
    await syncFolder(path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await unlink(draft)
  }
  const created = await readKeyFile(path)
  if (created === undefined) throw new Error(`${path} vanished while it was being made`)
  return created
}

// A new key signs from the next start on; the older ones still prove the tokens that they signed.
export async function rotateKeyFile(path: string): Promise<string[]> {
  const older = (await readKeyFile(path)) ?? []
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const pems = [await newPrivateKey(), ...older.slice(0, OLDER_KEYS_KEPT)]
  await rename(await writeDraft(path, pems), path)
  await syncFolder(path)
  return pems
}

async function readKeyFile(path: string): Promise<string[] | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
  const pems = splitPems(text)
  // Never overwritten by a new key: whoever damaged the file may still have the old one.
  if (pems.length === 0) throw new Error(`${path} holds no private key in PEM`)
  return pems
}

async function writeDraft(path: string, pems: readonly string[]): Promise<string> {
  const draft = `${path}.${randomToken(9)}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${pems.join('\n')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  return draft
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function newPrivateKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MINIMUM_KEY_BITS })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim()
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
