// Files that the service creates itself: stored under a random key like uploads, but not counted in the storage quota.
import { createHash, randomBytes } from 'node:crypto'
import type { OrganizationContext, IoContext } from '#kernel/data/context.ts'
import { AppError, conflict } from '#kernel/values/errors.ts'
import { fromNow } from '#kernel/values/time/clock.ts'
import { files } from './queries.ts'
import { CLAIM_SECONDS, withStore } from './receive-upload.ts'

export type OwnBytes = {
  size: number
  sha256: string
  storage_key: string
  /** The job that removes the bytes, unless `keepOwnBytes` removes the job. */
  claim: number
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export async function storeOwnBytes(io: IoContext, bytes: Uint8Array): Promise<OwnBytes> {
  const organizationId = io.organizationId ?? 0
  const storage_key = `${organizationId}/${randomBytes(16).toString('hex')}`
  const [claim] = await io.read(files.claim(organizationId, storage_key, fromNow(io, CLAIM_SECONDS)))
  await withStore(() => io.ports.files.put(storage_key, only(bytes)))
  return { size: bytes.length, sha256: hashOf(bytes), storage_key, claim: claim?.id ?? 0 }
}

/** Call it in the transaction that writes the row; once that commits, the bytes are kept. */
export async function keepOwnBytes(ctx: OrganizationContext, { claim }: OwnBytes): Promise<void> {
  const [released] = await ctx.ask(files.release(ctx.organizationId, claim))
  if (!released) throw conflict('upload_too_slow', 'The document took too long')
}

/** The bytes, or 503 when they are missing or their hash differs. */
export async function ownBytes(
  io: IoContext,
  file: Pick<OwnBytes, 'size' | 'sha256' | 'storage_key'> & { id: number },
): Promise<Buffer> {
  const stored = await withStore(() => io.ports.files.get(file.storage_key))
  if (!stored) throw damaged(file.id, 'is gone')
  const chunks: Uint8Array[] = []
  let size = 0
  await withStore(async () => {
    for await (const chunk of stored.content) {
      size += chunk.length
      if (size > file.size) break
      chunks.push(chunk)
    }
  })
  const bytes = Buffer.concat(chunks)
  if (size !== file.size || hashOf(bytes) !== file.sha256) throw damaged(file.id, 'is not what was archived')
  return bytes
}

/** No Retry-After, because the answer stays the same until somebody restores the file; the log has the cause. */
const damaged = (id: number, how: string): AppError =>
  new AppError('SERVICE_UNAVAILABLE', {
    message: 'The archived document cannot be read',
    cause: new Error(`the file of the archived document ${id} ${how}`),
  })

async function* only(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
