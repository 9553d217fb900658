// The file of signing keys that is used when none are configured: several PEMs, of which the first signs.
import { generateKeyPair } from 'node:crypto'
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { randomToken } from '#kernel/keys/secrets.ts'
import { MINIMUM_KEY_BITS, splitPems } from '#kernel/keys/signing-keys.ts'

// Tokens are valid for a day, so two older keys are enough unless keys are rotated three times a day.
const OLDER_KEYS_KEPT = 2

/** `make` generates the first key; an RSA key by default. */
export async function readOrCreateKeyFile(path: string, make = newPrivateKey): Promise<string[]> {
  const existing = await readKeyFile(path)
  if (existing !== undefined) return existing
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = await writeDraft(path, [await make()])
  try {
    // Unlike a rename, a link never replaces a file: of two processes that start at once, the second one reads the key
    // of the first.
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

// The new key signs from the next start on; the older ones still verify the tokens that they signed.
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
  // A damaged file is never overwritten with a new key, since a copy of the old one may still exist.
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
