// Files in S3 over real HTTP to a stand-in that checks signatures: the port's contract, and failures.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Files, FilesUnavailable } from '#ports/files.ts'
import { filesContract, newFileKey } from '#ports/files.contract.ts'
import { piecesOf } from '#test/scenes/file-contents.ts'
import { FULL_DISK, printedWith } from '#test/harness/limited.ts'
import { startS3StandIn, type StandIn } from '#test/stand-ins/s3.ts'
import { createS3Files } from './s3-files.ts'

const KEYS = { accessKey: 'AKIATEST', secretKey: 'a+secret/with=signs', region: 'sa-east-1', bucket: 'titular' }

let store: StandIn
let s3: Files & { close(): Promise<void> }

beforeAll(async () => {
  store = await startS3StandIn(KEYS)
  s3 = createS3Files({ endpoint: store.endpoint, ...KEYS })
})
afterAll(async () => {
  await s3.close()
  await store.close()
})

filesContract('S3', () => s3)

describe('s3 files', () => {
  it('are refused with another secret', async () => {
    const other = createS3Files({ endpoint: store.endpoint, ...KEYS, secretKey: 'another' })
    await expect(other.put(newFileKey(), piecesOf('x'))).rejects.toThrow(FilesUnavailable)
    await expect(other.get(newFileKey())).rejects.toThrow('403')
    await other.close()
  })
  it('throw FilesUnavailable when the store is unavailable', async () => {
    store.failWith(503)
    await expect(s3.get(newFileKey())).rejects.toThrow(FilesUnavailable)
    await expect(s3.put(newFileKey(), piecesOf('x'))).rejects.toThrow(FilesUnavailable)
    await expect(s3.remove(newFileKey())).rejects.toThrow(FilesUnavailable)
    store.failWith(null)
    const nowhere = createS3Files({ endpoint: 'http://127.0.0.1:1', ...KEYS })
    await expect(nowhere.get(newFileKey())).rejects.toThrow(FilesUnavailable)
    await nowhere.close()
  })
  it('are not stored when the disk that they pass over is full', async () => {
    const place = new URL('./s3-files.ts', import.meta.url).href
    const script = `const { createS3Files } = await import(${JSON.stringify(place)})
      async function* whole() { yield Buffer.alloc(10_000, 97) }
      const s3 = createS3Files(${JSON.stringify({ endpoint: store.endpoint, ...KEYS })})
      await s3.put('${newFileKey()}', whole()).catch((error) => console.log(error.constructor.name, error.cause?.code))
      await s3.close()`
    expect(await printedWith(FULL_DISK, script)).toBe('FilesUnavailable EFBIG')
  })
})
