// A page to write on: fonts, margins, the position of the next line, and a new page when a page is full.
// oxlint-disable-next-line import/no-named-as-default -- its types know the default only
import PDFDocument from 'pdfkit'
import { fileURLToPath } from 'node:url'
import { visualRuns } from './bidi.ts'
import { renderable, linesOf, type Measure } from './text.ts'

export const INK = '#16202c'
export const SOFT = '#586472'
export const LINE = '#d5dbe2'
export const RED = '#b42318'
const MARGIN = 56
/** The height at the foot of a page, for its number. */
const FOOT = 44
const LEADING = 1.4

export type Style = { size: number; bold?: boolean; color?: string; align?: 'left' | 'right' | 'center' }
export type Place = { x: number; width: number }

export type Page = ReturnType<typeof openPage>
export type Pen = ReturnType<typeof openPen>

export type About = {
  title: string
  language: string
  author: string
  /** ISO 8601. */
  madeAt: string
  margin: number
}

const fontFile = (name: string): string => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))

/** A document with its fonts, and ways to measure and write text on its current page. */
export function openPen({ title, language, author, madeAt, margin }: About) {
  const date = new Date(madeAt)
  const doc = new PDFDocument({
    size: 'A4',
    margin,
    bufferPages: true,
    lang: language,
    displayTitle: true,
    // pdfkit derives the file's identifier from these, so that the same record gives the same bytes.
    info: { Title: title, Author: author, Creator: 'Titular', Producer: 'Titular', CreationDate: date, ModDate: date },
  })
  doc.registerFont('regular', fontFile('DejaVuSans')).registerFont('bold', fontFile('DejaVuSans-Bold'))
  const faces = { regular: faceOf(doc, 'regular'), bold: faceOf(doc, 'bold') }
  const faceFor = ({ bold = false }: Style) => (bold ? faces.bold : faces.regular)

  const measureOf = (style: Style): Measure => {
    const { widthOf } = faceFor(style)
    return (text) => widthOf(text) * style.size
  }
  const fit = (text: string, style: Style) => renderable(text, faceFor(style).hasGlyph)
  /** Writes one line that fits the width, at a height, in the order of display. */
  function put(line: string, at: number, { x, width }: Place, style: Style): void {
    if (line.trim() === '') return
    const { size, bold = false, color = INK, align = 'left' } = style
    const measure = measureOf(style)
    const runs = visualRuns(line).map((text) => ({ text, wide: measure(text) }))
    const spare = width - runs.reduce((sum, { wide }) => sum + wide, 0)
    let left = x + (align === 'right' ? spare : align === 'center' ? spare / 2 : 0)
    doc
      .font(bold ? 'bold' : 'regular')
      .fontSize(size)
      .fillColor(color)
    for (const { text, wide } of runs) {
      if (text.trim() !== '') doc.text(text, left, at, { lineBreak: false })
      left += wide
    }
  }
  return {
    doc,
    put,
    measureOf,
    fit,
    lines: (text: string, style: Style, within: number) => linesOf(fit(text, style), within, measureOf(style)),
    heightOf: (style: Style) => style.size * LEADING,
    /** Resolves to the bytes when the document has ended. Call it before the first text is written. */
    bytes: () =>
      new Promise<Uint8Array>((resolve, reject) => {
        const chunks: Buffer[] = []
        doc.on('data', (chunk: Buffer) => chunks.push(chunk))
        doc.on('end', () => resolve(Buffer.concat(chunks)))
        doc.on('error', reject)
      }),
  }
}

/** Consecutive pages, with the position of the next line. */
export function openPage(about: Omit<About, 'margin'>) {
  const pen = openPen({ ...about, margin: MARGIN })
  const { doc } = pen
  const width = doc.page.width - 2 * MARGIN
  const bottom = doc.page.height - MARGIN - FOOT
  let y = MARGIN
  return {
    ...pen,
    width,
    left: MARGIN,
    /** The height of an empty page. */
    height: bottom - MARGIN,
    at: () => y,
    skip: (height: number) => void (y += height),
    /** Begins a page when the height does not fit; true when it did. */
    room(height: number): boolean {
      if (y + height <= bottom || y === MARGIN) return false
      doc.addPage()
      y = MARGIN
      return true
    },
    rule(color = LINE): void {
      doc
        .moveTo(MARGIN, y)
        .lineTo(MARGIN + width, y)
        .lineWidth(0.7)
        .strokeColor(color)
        .stroke()
    },
  }
}

type Face = { hasGlyph: (codePoint: number) => boolean; widthOf: Measure }

/** The number of words whose widths are cached. */
const MAX_CACHED = 20_000

function faceOf(doc: PDFKit.PDFDocument, name: string): Face {
  doc.font(name)
  const hasGlyph = glyphsOf(doc)
  const widths = new Map<string, number>()
  return {
    hasGlyph,
    widthOf(text) {
      const known = widths.get(text)
      if (known !== undefined) return known
      const width = doc.font(name).fontSize(100).widthOfString(text) / 100
      if (widths.size >= MAX_CACHED) widths.clear()
      widths.set(text, width)
      return width
    },
  }
}

/** Which characters the font has; pdfkit keeps the opened font to itself. */
function glyphsOf(doc: object): (codePoint: number) => boolean {
  const font: unknown = Reflect.get(Object(Reflect.get(doc, '_font')), 'font')
  const ask: unknown = Reflect.get(Object(font), 'hasGlyphForCodePoint')
  if (typeof ask !== 'function') throw new Error('the font cannot be asked for its characters')
  return (codePoint) => Boolean(Reflect.apply(ask, font, [codePoint]))
}
