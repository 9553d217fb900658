// One contract for every file store: the local directory, and S3 over real HTTP to a stand-in that checks signatures.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Files, FilesUnavailable } from '#ports/files.ts'
import { startS3StandIn, type StandIn } from '#test/stand-ins/s3.ts'
import { createLocalFiles } from '../local-files/local-files.ts'
import { createS3Files } from './s3-files.ts'
import { signedLink } from './signature.ts'

const KEYS = { accessKey: 'AKIATEST', secretKey: 'a+secret/with=signs', region: 'sa-east-1', bucket: 'titular' }

let store: StandIn
let directory: string
let s3: Files & { close(): Promise<void> }
let local: Files

beforeAll(async () => {
  store = await startS3StandIn(KEYS)
  directory = await mkdtemp(join(tmpdir(), 'titular-files-'))
  s3 = createS3Files({ endpoint: store.endpoint, ...KEYS })
  local = createLocalFiles({ directory })
})
afterAll(async () => {
  await s3.close()
  await store.close()
  await rm(directory, { recursive: true, force: true })
})

const newKey = (): string => `42/${randomBytes(16).toString('hex')}`

async function* pieces(...content: (Buffer | string | Error)[]): AsyncIterable<Buffer> {
  for (const piece of content) {
    if (piece instanceof Error) throw piece
    yield Buffer.from(piece)
  }
}

describe.each([
  ['local', () => local],
  ['s3', () => s3],
] as const)('%s files', (_, filesOf) => {
  it('give back what they keep, whatever its size', async () => {
    const big = randomBytes(3_000_000)
    for (const content of [[], ['a', 'b'], [big.subarray(0, 70_000), big.subarray(70_000)]]) {
      const key = newKey()
      await filesOf().put(key, pieces(...content))
      const found = await filesOf().get(key)
      const whole = Buffer.concat(content.map((piece) => Buffer.from(piece)))
      expect(found?.size).toBe(whole.length)
      expect((await buffer(found?.content ?? pieces())).equals(whole)).toBe(true)
    }
  })
  it('know nothing of a key that was never used, and remove it all the same', async () => {
    expect(await filesOf().get(newKey())).toBeNull()
    await filesOf().remove(newKey())
  })
  it('remove', async () => {
    const key = newKey()
    await filesOf().put(key, pieces('gone'))
    await filesOf().remove(key)
    expect(await filesOf().get(key)).toBeNull()
  })
  it('keep nothing of content that breaks off, and pass its error on', async () => {
    const key = newKey()
    const broken = new Error('the client went away')
    await expect(filesOf().put(key, pieces('half', broken))).rejects.toBe(broken)
    expect(await filesOf().get(key)).toBeNull()
  })
  it.each(['', '../secret', '42/../../etc/passwd', '42/short', `0/${'a'.repeat(32)}`, `42/${'A'.repeat(32)}`])(
    'refuse the key %j',
    async (key) => {
      const attempts = [
        async () => filesOf().put(key, pieces('x')),
        async () => filesOf().get(key),
        async () => filesOf().remove(key),
      ]
      for (const attempt of attempts) await expect(attempt()).rejects.toThrow(TypeError)
    },
  )
})

describe('local files', () => {
  it('leave no pieces behind, and lie under random names', async () => {
    const names = (await readdir(directory, { recursive: true })).filter((name) => name.includes('/'))
    expect(names.length).toBeGreaterThan(2)
    expect(names.filter((name) => !/^42\/[0-9a-f]{32}$/.test(name))).toEqual([])
  })
  it('keep nothing that the disk takes in part only', async () => {
    const key = newKey()
    // What goes over the limit of the process is cut off, as on a disk that gets full.
    const limited = `trap '' XFSZ; ulimit -f 8; exec "$0" --input-type=module -e "$1" "$2" "$3" "$4"`
    const script = `const [place, directory, key] = process.argv.slice(1)
      const { createLocalFiles } = await import(place)
      async function* whole() { yield Buffer.alloc(10_000, 97) }
      await createLocalFiles({ directory }).put(key, whole()).catch((error) => console.log(error.constructor.name, error.cause?.code))`
    const place = new URL('../local-files/local-files.ts', import.meta.url).href
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

describe('s3 files', () => {
  it('give a link that opens for its time, and for this object only', async () => {
    const key = newKey()
    await s3.put(key, pieces('linked'))
    const about = { fileName: 'report (1).pdf', contentType: 'application/pdf', seconds: 60 }
    const link = s3.link(key, { ...about, now: new Date() }) ?? ''
    const answer = await fetch(link)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('linked')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="report (1).pdf"')
    expect((await fetch(link.replace(key, newKey()))).status).toBe(403)
    const late = s3.link(key, { ...about, now: new Date(Date.now() - 61_000) }) ?? ''
    expect((await fetch(late)).status).toBe(403)
    expect(local.link(key, { ...about, now: new Date() })).toBeNull()
  })
  it('are refused with another secret', async () => {
    const stranger = createS3Files({ endpoint: store.endpoint, ...KEYS, secretKey: 'another' })
    await expect(stranger.put(newKey(), pieces('x'))).rejects.toThrow(FilesUnavailable)
    await expect(stranger.get(newKey())).rejects.toThrow('403')
    await stranger.close()
  })
  it('tell that the store is away', async () => {
    store.failWith(503)
    await expect(s3.get(newKey())).rejects.toThrow(FilesUnavailable)
    await expect(s3.put(newKey(), pieces('x'))).rejects.toThrow(FilesUnavailable)
    await expect(s3.remove(newKey())).rejects.toThrow(FilesUnavailable)
    store.failWith(null)
    const nowhere = createS3Files({ endpoint: 'http://127.0.0.1:1', ...KEYS })
    await expect(nowhere.get(newKey())).rejects.toThrow(FilesUnavailable)
    await nowhere.close()
  })
})

describe('signedLink', () => {
  it('signs the documented example as documented', () => {
    const keys = {
      accessKey: 'AKIAIOSFODNN7EXAMPLE',
      secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      region: 'us-east-1',
    }
    const url = new URL('https://examplebucket.s3.amazonaws.com/test.txt')
    const link = new URL(signedLink(url, keys, { now: new Date('2013-05-24T00:00:00Z'), seconds: 86_400 }))
    expect(link.searchParams.get('X-Amz-Signature')).toBe(
      'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    )
    expect(link.searchParams.get('X-Amz-Credential')).toBe('AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request')
  })
})
