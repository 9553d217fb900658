// Files in S3 over real HTTP to a stand-in that checks signatures: the port's contract, and links.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Files, FilesUnavailable } from '#ports/files.ts'
import { filesContract, newFileKey } from '#ports/files.contract.ts'
import { piecesOf } from '#test/scenes/file-contents.ts'
import { startS3StandIn, type StandIn } from '#test/stand-ins/s3.ts'
import { createS3Files } from './s3-files.ts'
import { signedLink } from './signature.ts'

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
  it('have a link that works for its time, and for this object only', async () => {
    const key = newFileKey()
    await s3.put(key, piecesOf('linked'))
    const about = { fileName: 'report (1).pdf', contentType: 'application/pdf', seconds: 60 }
    const link = s3.link(key, { ...about, now: new Date() }) ?? ''
    const answer = await fetch(link)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('linked')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="report (1).pdf"')
    expect((await fetch(link.replace(key, newFileKey()))).status).toBe(403)
    const late = s3.link(key, { ...about, now: new Date(Date.now() - 61_000) }) ?? ''
    expect((await fetch(late)).status).toBe(403)
  })
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
})

describe('signedLink', () => {
  it('signs the documented example', () => {
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
