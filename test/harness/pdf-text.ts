// Reads the text and rectangles of the pages of a rendered PDF from its bytes.
import { inflateSync } from 'node:zlib'

export type Written = {
  text: string
  x: number
  y: number
  size: number
  /** The current fill colour, in PDF's notation. */
  color: string
}

/** Per page, in the order of rendering. */
export function writtenOn(bytes: Uint8Array): Written[][] {
  const objects = objectsOf(Buffer.from(bytes).toString('latin1'))
  return pagesOf(objects).map(({ head }) => {
    const contents = refIn(head, 'Contents')
    const resources = /\/Resources (\d+) 0 R/.exec(head)?.[1]
    const fonts = fontsIn(objects, objects.get(Number(resources))?.head ?? head)
    return piecesOf(objects.get(contents)?.stream ?? '', fonts)
  })
}

/** The rectangles of each page as `[x, y, width, height]`, from its upper left corner on. */
export function rectanglesOn(bytes: Uint8Array): number[][][] {
  const objects = objectsOf(Buffer.from(bytes).toString('latin1'))
  return pagesOf(objects).map(({ head }) =>
    [...(objects.get(refIn(head, 'Contents'))?.stream ?? '').matchAll(/^([-\d. ]+) re$/gm)].map(([, numbers = '']) =>
      numbers.split(' ').map(Number),
    ),
  )
}

const pagesOf = (objects: Map<number, Thing>): Thing[] =>
  [...objects.values()].filter(({ head }) => /\/Type \/Page\b(?!s)/.test(head))

/** The words of each page, one after the other. */
export const textOn = (bytes: Uint8Array): string[] =>
  writtenOn(bytes).map((pieces) => pieces.map(({ text }) => text).join('\n'))

type Thing = { head: string; stream: string }

function objectsOf(file: string): Map<number, Thing> {
  const objects = new Map<number, Thing>()
  for (const [, id = '', body = ''] of file.matchAll(/\n(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [head = '', rest] = body.split(/\nstream\n/, 2)
    const raw = rest === undefined ? '' : body.slice(head.length + 8, body.lastIndexOf('\nendstream'))
    objects.set(Number(id), { head, stream: head.includes('FlateDecode') ? inflated(raw) : raw })
  }
  return objects
}

const inflated = (raw: string): string => inflateSync(Buffer.from(raw, 'latin1')).toString('latin1')
const refIn = (head: string, name: string): number => Number(new RegExp(`/${name} (\\d+) 0 R`).exec(head)?.[1] ?? -1)

type Font = Map<number, string>

function fontsIn(objects: Map<number, Thing>, resources: string): Map<string, Font> {
  const fonts = new Map<string, Font>()
  for (const [, name = '', id] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const cmap = objects.get(refIn(objects.get(Number(id))?.head ?? '', 'ToUnicode'))?.stream ?? ''
    const font: Font = new Map()
    for (const [, from = '', list = ''] of cmap.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/gi))
      for (const [index, [, hex = '']] of [...list.matchAll(/<([0-9a-f ]*)>/gi)].entries())
        font.set(parseInt(from, 16) + index, utf16(hex.replaceAll(' ', '')))
    fonts.set(name, font)
  }
  return fonts
}

const utf16 = (hex: string): string => Buffer.from(hex, 'hex').swap16().toString('utf16le')

function piecesOf(stream: string, fonts: Map<string, Font>): Written[] {
  const pieces: Written[] = []
  let [font, size, x, y, color] = [new Map<number, string>(), 0, 0, 0, '']
  for (const line of stream.split('\n')) {
    const [, name = '', points] = /^\/(F\d+) ([\d.]+) Tf/.exec(line) ?? []
    if (points !== undefined) [font, size] = [fonts.get(name) ?? new Map<number, string>(), Number(points)]
    const [, left, top] = /^1 0 0 1 ([-\d.]+) ([-\d.]+) Tm/.exec(line) ?? []
    if (left !== undefined) [x, y] = [Number(left), Number(top)]
    if (/ (scn|rg|g)$/.test(line)) color = line
    if (!/ ?TJ$/.test(line)) continue
    const glyphs = [...line.matchAll(/<([0-9a-f]*)>/gi)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
    pieces.push({ text: glyphs.map((glyph) => font.get(parseInt(glyph, 16)) ?? '�').join(''), x, y, size, color })
  }
  return pieces
}
