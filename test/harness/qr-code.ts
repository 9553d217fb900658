// Reads the QR code on a page of a rendered PDF, with another library than the one that encoded it.
import decodeQr from 'qr/decode.js'
import { rectanglesOn } from './pdf-text.ts'

/** Pixels of a module, and white modules around the code. */
const SCALE = 4
const QUIET = 4

type Bar = { x: number; y: number; width: number; height: number }

/** The content of the code on the first page, and the length of its side in points. */
export function qrCodeOn(bytes: Uint8Array): { text: string; side: number } {
  const bars = lowestOf(rectanglesOn(bytes)[0] ?? [])
  const module = bars[0]?.height ?? 1
  const left = Math.min(...bars.map(({ x }) => x))
  const top = Math.min(...bars.map(({ y }) => y))
  const side = Math.max(...bars.map(({ x, width }) => x + width)) - left
  const pixels = (points: number) => Math.round((points / module) * SCALE)
  const size = pixels(side) + 2 * QUIET * SCALE
  const data = new Uint8Array(size * size * 3).fill(255)
  for (const { x, y, width } of bars) {
    const from = pixels(x - left) + QUIET * SCALE
    for (let row = pixels(y - top) + QUIET * SCALE, end = row + SCALE; row < end; row++)
      data.fill(0, (row * size + from) * 3, (row * size + from + pixels(width)) * 3)
  }
  return { text: decodeQr({ width: size, height: size, data }, { timeLimit: 5000 }), side }
}

/** The bars of modules are lower than all other rectangles on a page. */
function lowestOf(rectangles: readonly number[][]): Bar[] {
  const all = rectangles.map(([x = 0, y = 0, width = 0, height = 0]) => ({ x, y, width, height }))
  const lowest = Math.min(...all.map(({ height }) => height))
  return all.filter(({ height }) => Math.abs(height - lowest) < 1e-3)
}
