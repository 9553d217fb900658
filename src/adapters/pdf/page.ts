// A page to write on: fonts, margins, the position of the next line, and a new page when a page is full.
// oxlint-disable-next-line import/no-named-as-default -- its types know the default only
import PDFDocument from 'pdfkit'
import { visualRuns } from './bidi.ts'
import { openFonts } from './fonts.ts'
import { cutTo, renderable, linesOf, type Measure } from './text.ts'

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
  /** All texts that are rendered, for the choice of fonts. */
  content: unknown
  /** Of headings and lines; without it, black. */
  color?: string | undefined
}

/** The thickness that makes letters bold, at size 1. */
const BOLD_OUTLINE = 0.035

/** A document with its fonts, and ways to measure and write text on its current page. */
export function openPen({ title, language, author, madeAt, margin, content }: About) {
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
  const { runsOf, canDraw, ascentOf, widthOf } = openFonts(doc, content)

  const measureOf =
    ({ size, bold = false }: Style): Measure =>
    (text) =>
      widthOf(text, bold) * size
  const fit = (text: string, { bold = false }: Style) => renderable(text, (grapheme) => canDraw(grapheme, bold))
  /** Writes one line that fits the width, at a height, in the order of display. */
  function put(line: string, at: number, { x, width }: Place, style: Style): void {
    if (line.trim() === '') return
    const { size, bold = false, color = INK, align = 'left' } = style
    const runs = visualRuns(line)
      .flatMap((text) => runsOf(text, bold))
      .map((run) => ({ ...run, wide: run.face.widthOf(run.text) * size }))
    const spare = width - runs.reduce((sum, { wide }) => sum + wide, 0)
    let left = x + (align === 'right' ? spare : align === 'center' ? spare / 2 : 0)
    doc.fillColor(color)
    for (const { face, text, wide } of runs) {
      const stroke = bold && face.isOnlyRegular
      if (stroke) doc.strokeColor(color).lineWidth(size * BOLD_OUTLINE)
      doc.font(face.name).fontSize(size)
      // All fonts on one base line.
      const top = at + (ascentOf(bold) - face.ascent) * size
      if (text.trim() !== '') doc.text(text, left, top, { lineBreak: false, stroke, fill: true })
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
    color: about.color ?? INK,
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
    rule(color = LINE, thickness = 0.7): void {
      doc
        .moveTo(MARGIN, y)
        .lineTo(MARGIN + width, y)
        .lineWidth(thickness)
        .strokeColor(color)
        .stroke()
    },
  }
}

export type Piece = [text: string, style: Style]

const MOST_LINES = 5

/** Writes a few lines below each other from a height on; returns the height of their end. */
export function writeColumn(page: Page, pieces: Piece[], place: Place, from: number): number {
  let y = from
  for (const [text, style] of pieces) {
    const lines = cutTo(page.lines(text, style, place.width), MOST_LINES, place.width, page.measureOf(style))
    for (const line of lines) {
      page.put(line, y, place, style)
      y += page.heightOf(style)
    }
  }
  return y
}
