// Renders a document on A4 pages: letterhead, recipient, blocks, page numbers.
import type { Block, Fact, DocumentTemplate } from '#ports/documents.ts'
import { renderWatermark, renderQr, QR_SIZE } from './marks.ts'
import { type Page, type Place, RED, SOFT, type Style, openPage } from './page.ts'
import { shortened } from './shorten.ts'
import { renderTable } from './render-table.ts'
import { cutTo } from './text.ts'

const BODY: Style = { size: 9.5 }
const SMALL: Style = { size: 8, color: SOFT }

/** The bytes of the document. */
export function renderTemplate(whole: DocumentTemplate): Promise<Uint8Array> {
  const template = shortened(whole)
  const { title, reference, language, letterhead, madeAt } = template
  const page = openPage({
    title: `${title} ${reference}`,
    language,
    author: letterhead.name,
    madeAt,
    content: template,
  })
  const bytes = page.bytes()
  renderHead(page, template)
  for (const block of template.blocks) renderBlock(page, block)
  finishPages(page, template)
  page.doc.end()
  return bytes
}

function renderHead(page: Page, { letterhead, title, reference, recipient, notice }: DocumentTemplate): void {
  const half = { x: page.left, width: page.width * 0.55 }
  const right = { x: page.left + page.width * 0.6, width: page.width * 0.4 }
  const top = page.at()
  let end = column(
    page,
    [
      [title, { size: 16, bold: true, align: 'right' }],
      [reference, { ...BODY, color: SOFT, align: 'right' }],
    ],
    right,
    top,
  )
  const from: Piece[] = [
    [letterhead.name, { size: 12, bold: true }],
    ...letterhead.lines.map((line): Piece => [line, SMALL]),
  ]
  end = Math.max(end, column(page, from, half, top))
  page.skip(end - top + 12)
  page.rule()
  page.skip(14)
  const all = { x: page.left, width: page.width }
  if (notice !== undefined) page.skip(column(page, [[notice, NOTICE]], all, page.at()) - page.at() + 10)
  const to: Piece[] = recipient.lines.map((line, index): Piece => [line, { ...BODY, bold: index === 0 }])
  const begin = page.at()
  page.skip(column(page, [[recipient.label, SMALL], ...to], all, begin) - begin + 16)
}

const NOTICE: Style = { size: 10, bold: true, color: RED, align: 'center' }

type Piece = [text: string, style: Style]

/** Writes a few lines below each other from a height on; returns the height of their end. */
function column(page: Page, pieces: Piece[], place: Place, from: number): number {
  let y = from
  for (const [text, style] of pieces)
    for (const line of page.lines(text, style, place.width).slice(0, 5)) {
      page.put(line, y, place, style)
      y += page.heightOf(style)
    }
  return y
}

function renderBlock(page: Page, block: Block): void {
  switch (block.kind) {
    case 'heading':
      return renderHeading(page, block.text)
    case 'text':
      return renderText(page, block.text)
    case 'facts':
      return renderFacts(page, block.facts)
    case 'table':
      return renderTable(page, block)
    case 'qr':
      return renderCode(page, block)
  }
}

function renderHeading(page: Page, text: string): void {
  const style: Style = { size: 11, bold: true }
  // Not without three lines of text below it on the page.
  page.room(page.heightOf(style) + 3 * page.heightOf(BODY))
  page.skip(6)
  renderLines(page, text, style, { x: page.left, width: page.width })
  page.skip(4)
}

function renderText(page: Page, text: string): void {
  renderLines(page, text, BODY, { x: page.left, width: page.width })
  page.skip(10)
}

function renderLines(page: Page, text: string, style: Style, place: Place): void {
  for (const line of page.lines(text, style, place.width)) {
    page.room(page.heightOf(style))
    page.put(line, page.at(), place, style)
    page.skip(page.heightOf(style))
  }
}

/** Label on the left, value on its right. */
function renderFacts(page: Page, facts: Fact[]): void {
  const labels = { x: page.left, width: page.width * 0.3 - 10 }
  const values = { x: page.left + page.width * 0.3, width: page.width * 0.7 }
  for (const { label, value } of facts) {
    const names = page.lines(label, { ...BODY, color: SOFT }, labels.width)
    const said = page.lines(value, BODY, values.width)
    for (let index = 0; index < Math.max(names.length, said.length); index++) {
      page.room(page.heightOf(BODY))
      page.put(names[index] ?? '', page.at(), labels, { ...BODY, color: SOFT })
      page.put(said[index] ?? '', page.at(), values, BODY)
      page.skip(page.heightOf(BODY))
    }
    page.skip(2)
  }
  page.skip(8)
}

/** The code and its caption beside it, on one page. */
function renderCode(page: Page, { content, caption }: Extract<Block, { kind: 'qr' }>): void {
  page.room(QR_SIZE + 10)
  renderQr(page.doc, content, { x: page.left, y: page.at(), size: QR_SIZE })
  const beside = { x: page.left + QR_SIZE + 14, width: page.width - QR_SIZE - 14 }
  column(page, [[caption, SMALL]], beside, page.at() + 4)
  page.skip(QR_SIZE + 10)
}

/** More characters than fit. */
const LONGEST_FOOTER = 300

/** At the end, when the number of pages is known. */
function finishPages(page: Page, { pageOf, letterhead, title, reference, watermark }: DocumentTemplate): void {
  const { doc, left, width, put } = page
  const { start, count } = doc.bufferedPageRange()
  const style: Style = { size: 7, color: SOFT }
  const beside = width * 0.75
  const name = `${letterhead.name} · ${title} ${reference}`.replaceAll(/\s/g, ' ').slice(0, LONGEST_FOOTER)
  const [footer = ''] = cutTo(page.lines(name, style, beside), 1, beside, page.measureOf(style))
  for (let index = start; index < start + count; index++) {
    doc.switchToPage(index)
    // Text below the margin would begin a new page.
    doc.page.margins.bottom = 0
    if (watermark !== undefined) renderWatermark(page, watermark)
    const y = doc.page.height - 44
    const number = pageOf.replace('{page}', String(index + 1)).replace('{pages}', String(count))
    put(footer, y, { x: left, width: beside }, style)
    put(number, y, { x: left, width }, { ...style, align: 'right' })
  }
}
