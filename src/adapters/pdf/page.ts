// A page to write on: fonts, margins, the place where the next line goes, and a new page when there is none left.
// oxlint-disable-next-line import/no-named-as-default -- its types know the default only
import PDFDocument from 'pdfkit'
import { fileURLToPath } from 'node:url'
import type { Sheet } from '#ports/documents.ts'
import { drawable, linesOf } from './text.ts'

export const INK = '#16202c'
export const SOFT = '#586472'
export const LINE = '#d5dbe2'
const MARGIN = 56
/** Below it the page number stands. */
const FOOT = 44
const LEADING = 1.4

export type Style = { size: number; bold?: boolean; color?: string; align?: 'left' | 'right' }
export type Place = { x: number; width: number }

export type Page = ReturnType<typeof openPage>

const fontFile = (name: string): string => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))

export function openPage({ title, reference, language, letterhead, madeAt }: Sheet) {
  const date = new Date(madeAt)
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    lang: language,
    displayTitle: true,
    // The file's identifier is made of these, so the same record gives the same bytes.
    info: {
      Title: `${title} ${reference}`,
      Author: letterhead.name,
      Creator: 'Titular',
      Producer: 'Titular',
      CreationDate: date,
      ModDate: date,
    },
  })
  doc.registerFont('regular', fontFile('DejaVuSans')).registerFont('bold', fontFile('DejaVuSans-Bold')).font('regular')
  const hasGlyph = glyphsOf(doc)
  const width = doc.page.width - 2 * MARGIN
  const bottom = doc.page.height - MARGIN - FOOT
  let y = MARGIN

  const use = ({ size, bold = false, color = INK }: Style) =>
    doc
      .font(bold ? 'bold' : 'regular')
      .fontSize(size)
      .fillColor(color)

  function measured(text: string, style: Style, within: number): string[] {
    use(style)
    const widths = new Map<string, number>()
    return linesOf(drawable(text, hasGlyph), within, (piece) => {
      const known = widths.get(piece)
      if (known !== undefined) return known
      const found = doc.widthOfString(piece)
      widths.set(piece, found)
      return found
    })
  }
  /** One line that is known to fit, at a height. */
  function put(line: string, at: number, { x, width: room }: Place, style: Style): void {
    if (line.trim() === '') return
    use(style)
    const left = style.align === 'right' ? x + room - doc.widthOfString(line) : x
    doc.text(line, left, at, { lineBreak: false })
  }
  return {
    doc,
    width,
    left: MARGIN,
    heightOf: (style: Style) => style.size * LEADING,
    lines: measured,
    put,
    at: () => y,
    skip: (height: number) => void (y += height),
    /** True when a page had to be begun for it. */
    room(height: number): boolean {
      if (y + height <= bottom) return false
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
    drawable: (text: string) => drawable(text, hasGlyph),
  }
}

/** Which characters the font has; pdfkit keeps the opened font to itself. */
function glyphsOf(doc: object): (codePoint: number) => boolean {
  const font: unknown = Reflect.get(Object(Reflect.get(doc, '_font')), 'font')
  const ask: unknown = Reflect.get(Object(font), 'hasGlyphForCodePoint')
  if (typeof ask !== 'function') throw new Error('the font cannot be asked for its characters')
  return (codePoint) => Boolean(Reflect.apply(ask, font, [codePoint]))
}
