// What keeps a PNG from being a logo: too many pixels, what the writer of PDFs cannot read, and bytes that are no whole
// image. Nothing is decoded beyond the size that the image says it has.
import { crc32, inflateSync } from 'node:zlib'

/** Of each side: a document shows 6 cm of them, and takes 0.2 seconds for as many with transparency. */
const MOST_PIXELS = 1000
const SIGNATURE = 8
/** By color type (gray, RGB, palette, gray with alpha, RGB with alpha): channels, and bits for each of them. */
const COLORS: ReadonlyMap<number, { channels: number; depths: readonly number[] }> = new Map([
  [0, { channels: 1, depths: [1, 2, 4, 8] }],
  [2, { channels: 3, depths: [8] }],
  [3, { channels: 1, depths: [1, 2, 4, 8] }],
  [4, { channels: 2, depths: [8] }],
  [6, { channels: 4, depths: [8] }],
])
/** The way in which a row is written, in its first byte. */
const LAST_FILTER = 4
const MOST_PALETTE_BYTES = 3 * 256
const DAMAGED = 'is a damaged image'

/** Null: it can be shown everywhere. The sentence follows the name of the field. */
export function pngProblem(bytes: Buffer): string | null {
  const chunks = chunksOf(bytes)
  const all = (type: string) => chunks?.filter((chunk) => chunk.type === type) ?? []
  const [first] = chunks ?? []
  // The writer of PDFs takes the last head, and stops at the first end.
  const isFramed = first?.type === 'IHDR' && all('IHDR').length === 1 && all('IEND').length === 1
  if (!isFramed || first.data.length !== 13 || chunks?.at(-1)?.type !== 'IEND') return DAMAGED
  const [width, height] = [first.data.readUInt32BE(0), first.data.readUInt32BE(4)]
  if (width === 0 || height === 0) return DAMAGED
  if (width > MOST_PIXELS || height > MOST_PIXELS) return `must have at most ${MOST_PIXELS} pixels on each side`
  const [depth = 0, type = 0, , , interlace] = first.data.subarray(8)
  const color = COLORS.get(type)
  if (!color?.depths.includes(depth) || interlace !== 0) return 'must have 8 bits for each color and no interlacing'
  // The writer of PDFs reads the transparency of none but these.
  if (all('tRNS').length > 0 && !(type === 3 && depth === 8)) return 'must have its transparency in an alpha channel'
  const [palette, ...others] = all('PLTE')
  if (type === 3 && (!palette || others.length > 0 || !isPalette(palette.data))) return DAMAGED
  const row = 1 + Math.ceil((width * color.channels * depth) / 8)
  const data = Buffer.concat(all('IDAT').map((chunk) => chunk.data))
  return areRows(data, { row, height }) ? null : DAMAGED
}

type Chunk = { type: string; data: Buffer }

/** Null where one is cut off or does not have its checksum. */
function chunksOf(bytes: Buffer): Chunk[] | null {
  const chunks: Chunk[] = []
  let at = SIGNATURE
  while (at + 12 <= bytes.length) {
    const end = at + 8 + bytes.readUInt32BE(at)
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return null
    chunks.push({ type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end) })
    at = end + 4
  }
  return at === bytes.length ? chunks : null
}

const isPalette = ({ length }: Buffer): boolean => length > 0 && length % 3 === 0 && length <= MOST_PALETTE_BYTES

/** `row`: its bytes. */
function areRows(data: Buffer, { row, height }: { row: number; height: number }): boolean {
  try {
    const pixels = inflateSync(data, { maxOutputLength: row * height })
    if (pixels.length !== row * height) return false
    return Array.from({ length: height }, (_, nth) => pixels[nth * row] ?? 0).every((filter) => filter <= LAST_FILTER)
  } catch {
    return false
  }
}
