// The format of a backup: frames, compressed with gzip. A frame is a length in four bytes and that many bytes. First
// comes the header as JSON; then for each table of the header, in its order, frames of COPY text and an empty frame;
// last the SHA-256 of everything before.
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { StartupError } from './startup-error.ts'

export type BackupTable = { name: string; columns: string[]; rows: number }
export type BackupHeader = {
  format: 'titular-backup'
  version: 1
  made_at: string
  postgres: string
  migrations: string[]
  tables: BackupTable[]
  // The last value of every sequence, as a string of digits.
  sequences: Record<string, string>
}

const GZIP_LEVEL = 4
const FRAME_LIMIT = 1 << 30

// The file gets its name only when it is complete and on the disk.
export async function writeBackup(
  file: string,
  header: BackupHeader,
  rowsOf: (table: BackupTable) => AsyncIterable<Buffer>,
): Promise<void> {
  const partial = `${file}.partial`
  try {
    await rm(partial, { force: true })
    const output = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true })
    await pipeline(Readable.from(frames(header, rowsOf)), createGzip({ level: GZIP_LEVEL }), output)
    await rename(partial, file)
  } finally {
    await rm(partial, { force: true })
  }
}

async function* frames(header: BackupHeader, rowsOf: (table: BackupTable) => AsyncIterable<Buffer>) {
  const hash = createHash('sha256')
  const framed = (content: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(content.length)
    const frame = Buffer.concat([length, content])
    hash.update(frame)
    return frame
  }
  yield framed(Buffer.from(JSON.stringify(header)))
  for (const table of header.tables) {
    for await (const chunk of rowsOf(table)) {
      if (chunk.length > 0) yield framed(chunk)
    }
    yield framed(Buffer.alloc(0))
  }
  yield framed(hash.copy().digest())
}

// Reads the whole file once, so that a damaged file is refused before anything is written.
export async function checkBackup(file: string): Promise<BackupHeader> {
  // `readBackup` counts and compares while the chunks are read to their end.
  return readBackup(file, (_, chunks) => finished(Readable.from(chunks).resume()))
}

// Hands each table's COPY text to `load`, which must read it to its end.
export async function readBackup(
  file: string,
  load: (table: BackupTable, chunks: AsyncIterable<Buffer>) => Promise<void>,
): Promise<BackupHeader> {
  const handle = await open(file)
  const unzipped = createGunzip()
  // An error of the file is thrown where the frames are read.
  const piped = pipeline(handle.createReadStream(), unzipped).catch(() => undefined)
  try {
    const header = await readFrames(frameReader(unzipped), load)
    await piped
    return header
  } catch (cause) {
    const isDamage =
      cause instanceof Damage || (cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_'))
    if (!isDamage) throw cause
    throw new StartupError(`${file} is not a whole backup: ${cause.message}.`, { cause })
  } finally {
    unzipped.destroy()
    await handle.close()
  }
}

class Damage extends Error {}

async function readFrames(
  next: FrameReader,
  load: (table: BackupTable, chunks: AsyncIterable<Buffer>) => Promise<void>,
): Promise<BackupHeader> {
  const header: BackupHeader = parseHeader((await next.frame()).toString())
  for (const table of header.tables) {
    let rows = 0
    const chunks = async function* () {
      for (let chunk = await next.frame(); chunk.length > 0; chunk = await next.frame()) {
        rows += countLines(chunk)
        yield chunk
      }
    }
    await load(table, chunks())
    if (rows !== table.rows) throw new Damage(`${table.name} has ${rows} rows instead of ${table.rows}`)
  }
  const expected = next.digest()
  if (!(await next.frame()).equals(expected)) throw new Damage('its checksum is wrong')
  if (!(await next.isAtEnd())) throw new Damage('something follows its end')
  return header
}

function parseHeader(text: string): BackupHeader {
  try {
    const header: BackupHeader = JSON.parse(text)
    if (header.format === 'titular-backup' && header.version === 1) return header
  } catch {
    // Not JSON: the error below says it.
  }
  throw new Damage('its header is not one of version 1')
}

// COPY text escapes line feeds within values, so each one ends a row.
export function countLines(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count += 1
  return count
}

type FrameReader = { frame: () => Promise<Buffer>; digest: () => Buffer; isAtEnd: () => Promise<boolean> }

function frameReader(source: AsyncIterable<Buffer>): FrameReader {
  const iterator = source[Symbol.asyncIterator]()
  const hash = createHash('sha256')
  let held: Buffer = Buffer.alloc(0)
  const take = async (length: number) => {
    const parts = [held]
    let size = held.length
    while (size < length) {
      const { value, done } = await iterator.next()
      if (done) throw new Damage('it ends too early')
      parts.push(value)
      size += value.length
    }
    const joined = Buffer.concat(parts)
    held = joined.subarray(length)
    return joined.subarray(0, length)
  }
  const frame = async () => {
    const prefix = await take(4)
    const length = prefix.readUInt32BE()
    if (length > FRAME_LIMIT) throw new Damage('a frame is too long')
    const content = await take(length)
    hash.update(prefix).update(content)
    return content
  }
  const isAtEnd = async () => held.length === 0 && (await iterator.next()).done === true
  return { frame, digest: () => hash.copy().digest(), isAtEnd }
}
