// The head of a document: who issues it, with its logo, what it is, and to whom it goes.
import type { DocumentTemplate } from '#ports/documents.ts'
import { INK, type Page, type Piece, RED, SOFT, type Style, writeColumn } from './page.ts'

const BODY: Style = { size: 9.5 }
const SMALL: Style = { size: 8, color: SOFT }
const NOTICE: Style = { size: 10, bold: true, color: RED, align: 'center' }
/** Wide and tall logos look equally large. */
const LOGO = { width: 170, height: 48 }

export function renderLetterhead(page: Page, template: DocumentTemplate): void {
  const { letterhead, brand, title, reference, recipient, notice } = template
  const color = brand?.color ?? INK
  const left = { x: page.left, width: page.width * 0.55 }
  const right = { x: page.left + page.width * 0.6, width: page.width * 0.4 }
  const top = page.at()
  const what: Piece[] = [
    [title, { size: 18, bold: true, color, align: 'right' }],
    [reference, { ...BODY, color: SOFT, align: 'right' }],
  ]
  const under = top + renderLogo(page, brand?.logo ?? null)
  const from: Piece[] = [
    [letterhead.name, { size: under > top ? 9.5 : 13, bold: true }],
    ...letterhead.lines.map((line): Piece => [line, SMALL]),
  ]
  const end = Math.max(writeColumn(page, what, right, top), writeColumn(page, from, left, under))
  page.skip(end - top + 12)
  page.rule(color, 2)
  page.skip(16)
  const all = { x: page.left, width: page.width }
  if (notice !== undefined) page.skip(writeColumn(page, [[notice, NOTICE]], all, page.at()) - page.at() + 10)
  const to: Piece[] = recipient.lines.map((line, index): Piece => [line, { ...BODY, bold: index === 0 }])
  const begin = page.at()
  page.skip(
    writeColumn(page, [[recipient.label, SMALL], ...to], { ...all, width: all.width * 0.75 }, begin) - begin + 16,
  )
}

/** Its height with the space below. What cannot be shown is left out: the name stands there anyway. */
function renderLogo({ doc, left, at }: Page, logo: Uint8Array | null): number {
  if (!logo) return 0
  try {
    const bytes = Buffer.from(logo)
    // As a PNG says them in its first chunk.
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
    const scale = Math.min(LOGO.width / width, LOGO.height / height)
    doc.image(bytes, left, at(), { width: width * scale, height: height * scale })
    return height * scale + 8
  } catch {
    return 0
  }
}
