// Receives uploads for all areas: streams them to the files port under a random key, hashes them and checks their type
// on the way, and enforces the storage quota. Bytes that no row refers to are removed, also after a crash.
import { createHash, randomBytes } from 'node:crypto'
import type { OrganizationContext, IoContext, SystemContext } from '#kernel/data/context.ts'
import { AppError, conflict, invalid } from '#kernel/values/errors.ts'
import type { IncomingFile } from '#http/features/file-bodies.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { fromNow } from '#kernel/values/time/clock.ts'
import { FilesUnavailable } from '#ports/files.ts'
import { contentTypeOf, HEAD_BYTES, problemWith } from './content-type.ts'
import { removeFile } from './file-removal.ts'
import { files, type Usage } from './queries.ts'

export type ReceivedFile = {
  name: string
  content_type: string
  size: number
  sha256: string
  storage_key: string
  /** The job that removes the bytes, unless `keepFile` removes the job. */
  claim: number
}

/** Much longer than an upload may take. */
export const CLAIM_SECONDS = 7200

/** What the vendor uploads is in no organization's quota, and may be a program. */
export type Owner = 'organization' | 'vendor'

/** What the service itself writes for the vendor, however much it is; `keepVendorsFile` keeps it. */
export async function storeForVendor(
  io: IoContext,
  content: AsyncIterable<Buffer>,
): Promise<Pick<ReceivedFile, 'size' | 'sha256' | 'storage_key' | 'claim'>> {
  const { storage_key, claim } = await claimKey(io, 'vendor')
  const meter = createMeter()
  await withStore(() => io.ports.files.put(storage_key, meter.through(content)))
  const { size, sha256 } = meter.result()
  return { size, sha256, storage_key, claim }
}

async function claimKey(io: IoContext, owner: string | number): Promise<Pick<ReceivedFile, 'storage_key' | 'claim'>> {
  const storage_key = `${owner}/${randomBytes(16).toString('hex')}`
  const [claim] = await io.read(files.claim(io.organizationId, storage_key, fromNow(io, CLAIM_SECONDS)))
  return { storage_key, claim: claim?.id ?? 0 }
}

export async function receiveFile(
  io: IoContext,
  file: IncomingFile,
  owner: Owner = 'organization',
): Promise<ReceivedFile> {
  const { organizationId } = io
  const isVendors = owner === 'vendor'
  if (!isVendors) {
    const [usage] = await io.read(files.usage(io.ports.settings, organizationId ?? 0))
    assertWithinQuota(usage, 1)
  }
  const received = await claimKey(io, isVendors ? owner : (organizationId ?? 0))
  const { storage_key } = received
  const meter = createMeter()
  try {
    await withStore(() => io.ports.files.put(storage_key, meter.through(file.stream)))
    const name = cleanName(file.fileName)
    const { head, size, sha256 } = meter.result()
    const content_type = await contentTypeOf(head)
    const problem = size === 0 ? 'is empty' : isVendors ? null : problemWith(name, content_type)
    if (problem !== null) throw invalid({ file: problem })
    return { ...received, name, content_type, size, sha256 }
  } catch (error) {
    await discardFile(io, received)
    throw error
  }
}

/** Removes the bytes now if it can; when the store is unavailable, the claim's job does it later. */
export async function discardFile(
  io: IoContext,
  { storage_key, claim }: Pick<ReceivedFile, 'storage_key' | 'claim'>,
): Promise<void> {
  try {
    await io.ports.files.remove(storage_key)
  } catch {
    return
  }
  await io.read(files.release(io.organizationId, claim))
}

/**
 * Call it in the transaction that writes the row; once that commits, the bytes are kept. 409 beyond the storage quota.
 */
export async function keepFile(
  ctx: OrganizationContext,
  received: ReceivedFile,
  owner: Owner = 'organization',
): Promise<void> {
  if (owner === 'organization') {
    const [usage] = await ctx.ask(files.usage(ctx.settings, ctx.organizationId))
    assertWithinQuota(usage, received.size)
  }
  await releaseClaim(ctx, ctx.organizationId, received)
}

/** The same for what is in no organization's quota: what the vendor uploads, and what the service writes. */
export const keepVendorsFile = (
  ctx: SystemContext | OrganizationContext,
  received: Pick<ReceivedFile, 'claim'>,
): Promise<void> => releaseClaim(ctx, 'organizationId' in ctx ? ctx.organizationId : null, received)

async function releaseClaim(
  ctx: Pick<SystemContext, 'ask'>,
  organizationId: number | null,
  { claim }: Pick<ReceivedFile, 'claim'>,
): Promise<void> {
  const [released] = await ctx.ask(files.release(organizationId, claim))
  if (!released) throw conflict('upload_too_slow', 'The upload took too long')
}

/** Call it in the transaction that removes the row; a job removes the bytes once that commits. */
export const dropFile = (ctx: OrganizationContext | SystemContext, storageKey: string): Promise<void> =>
  enqueue(ctx, removeFile, { storage_key: storageKey })

/** Why a file is not kept: `fails` of the routes that take one into the quota of an organization. */
export const UPLOAD_REFUSALS = ['limit_reached', 'storage_quota_exceeded', 'upload_too_slow'] as const

function assertWithinQuota(usage: Usage | undefined, size: number): void {
  if (!usage) return
  const { bytes, count, most_bytes, most_count } = usage
  if (count + 1 > most_count)
    throw conflict('limit_reached', `The organization has ${count} files already, the maximum`)
  if (bytes + size > most_bytes)
    throw conflict('storage_quota_exceeded', 'The file exceeds the storage quota of the organization')
}

/** The last part of a path, without control characters and invisible or bidirectional formatting characters. */
function cleanName(given: string | null): string {
  const [last = ''] = (given ?? '').split(/[/\\]/).slice(-1)
  const clean = last
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
    .trim()
  return Array.from(clean).slice(0, 200).join('') || 'file'
}

function createMeter() {
  const hash = createHash('sha256')
  const beginning: Buffer[] = []
  let size = 0
  return {
    async *through(stream: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
      for await (const chunk of stream) {
        if (size < HEAD_BYTES) beginning.push(chunk)
        hash.update(chunk)
        size += chunk.length
        yield chunk
      }
    },
    result: () => ({ size, sha256: hash.digest('hex'), head: Buffer.concat(beginning).subarray(0, HEAD_BYTES) }),
  }
}

export async function withStore<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof FilesUnavailable) throw new AppError('SERVICE_UNAVAILABLE', { cause, retryAfter: 10 })
    throw cause
  }
}
