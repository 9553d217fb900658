import { execFile } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readOrCreateKeyFile, rotateKeyFile } from './signing-key-file.ts'
import { loadSigningKeys, splitPems } from '#kernel/keys/signing-keys.ts'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signing-keys-'))
  path = join(folder, 'keys', 'signing.pem')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('readOrCreateKeyFile', () => {
  it('makes a usable key in a file that only its owner can read, and reads it again later', async () => {
    const pems = await readOrCreateKeyFile(path)
    expect(pems).toHaveLength(1)
    expect((await loadSigningKeys({ pems })).keyId).toMatch(/^[\w-]{43}$/)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(join(folder, 'keys'))).toEqual(['signing.pem'])
    expect(await readOrCreateKeyFile(path)).toEqual(pems)
  })

  it('gives processes that start at once the same key', async () => {
    const module = new URL('signing-key-file.ts', import.meta.url).href
    const script = `const { readOrCreateKeyFile } = await import('${module}')
      console.log(JSON.stringify(await readOrCreateKeyFile(${JSON.stringify(path)})))`
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    const outputs = await Promise.all([run(), run(), run()])
    expect(new Set(outputs.map((output) => output.stdout)).size).toBe(1)
    expect(await readdir(join(folder, 'keys'))).toEqual(['signing.pem'])
    expect(splitPems(await readFile(path, 'utf8'))).toEqual(JSON.parse(outputs[0].stdout))
  })

  it('never replaces a file that it cannot read', async () => {
    const damaged = join(folder, 'damaged.pem')
    await writeFile(damaged, '-----BEGIN PRIVATE KEY-----\nhalf')
    await expect(readOrCreateKeyFile(damaged)).rejects.toThrow('holds no private key in PEM')
    expect(await readFile(damaged, 'utf8')).toBe('-----BEGIN PRIVATE KEY-----\nhalf')
  })
})

describe('rotateKeyFile', () => {
  it('puts a new key first, keeps two older ones and drops the rest', async () => {
    const [oldest] = await readOrCreateKeyFile(path)
    const afterFirst = await rotateKeyFile(path)
    expect(afterFirst).toEqual([expect.any(String), oldest])
    expect(afterFirst[0]).not.toBe(oldest)
    const afterSecond = await rotateKeyFile(path)
    expect(afterSecond.slice(1)).toEqual(afterFirst)
    const afterThird = await rotateKeyFile(path)
    expect(afterThird.slice(1)).toEqual(afterSecond.slice(0, 2))
    expect(await readOrCreateKeyFile(path)).toEqual(afterThird)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(join(folder, 'keys'))).toEqual(['signing.pem'])
  })

  it('leaves tokens of the older key valid', async () => {
    const token = await (await loadSigningKeys({ pems: await readOrCreateKeyFile(path) })).sign('at+jwt', { sub: '7' })
    const keys = await loadSigningKeys({ pems: await rotateKeyFile(path) })
    expect(await keys.verify('at+jwt', token)).toStrictEqual({ isGenuine: true, payload: { sub: '7' } })
    expect(await keys.sign('at+jwt', { sub: '7' })).not.toBe(token)
  })
})
