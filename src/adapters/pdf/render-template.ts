// Renders a document on A4 pages: letterhead, recipient, blocks, page numbers.
import type { Block, Fact, DocumentTemplate } from '#ports/documents.ts'
import { renderWatermark, renderQr, QR_SIZE } from './marks.ts'
import { renderLetterhead } from './letterhead.ts'
import { type Page, type Place, type Piece, SOFT, type Style, openPage, writeColumn } from './page.ts'
import { shortened } from './shorten.ts'
import { renderSignatures } from './render-signatures.ts'
import { renderTable } from './render-table.ts'
import { cutTo } from './text.ts'

const BODY: Style = { size: 9.5 }
const SMALL: Style = { size: 8, color: SOFT }
const LABEL: Style = { ...BODY, color: SOFT }

/** The bytes of the document. */
export function renderTemplate(whole: DocumentTemplate): Promise<Uint8Array> {
  const template = shortened(whole)
  const { title, reference, language, letterhead, madeAt, brand, ...texts } = template
  const page = openPage({
    title: `${title} ${reference}`,
    language,
    author: letterhead.name,
    madeAt,
    content: [title, letterhead, texts],
    color: brand?.color,
  })
  const bytes = page.bytes()
  renderLetterhead(page, template)
  for (const block of template.blocks) renderBlock(page, block)
  finishPages(page, template)
  page.doc.end()
  return bytes
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
    case 'signatures':
      return renderSignatures(page, block)
  }
}

function renderHeading(page: Page, text: string): void {
  const style: Style = { size: 11, bold: true, color: page.color }
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
  for (const fact of facts) {
    renderFact(page, fact, { x: page.left, width: page.width })
    page.skip(2)
  }
  page.skip(8)
}

function renderFact(page: Page, { label, value }: Fact, { x, width }: Place): void {
  const labels = { x, width: width * 0.3 - 10 }
  const values = { x: x + width * 0.3, width: width * 0.7 }
  const names = page.lines(label, LABEL, labels.width)
  const said = page.lines(value, BODY, values.width)
  for (let index = 0; index < Math.max(names.length, said.length); index++) {
    page.room(page.heightOf(BODY))
    page.put(names[index] ?? '', page.at(), labels, LABEL)
    page.put(said[index] ?? '', page.at(), values, BODY)
    page.skip(page.heightOf(BODY))
  }
}

/** The code, with its caption and facts beside it, on one page unless the facts are longer. */
function renderCode(page: Page, { content, caption, facts = [] }: Extract<Block, { kind: 'qr' }>): void {
  page.room(QR_SIZE + 10)
  const top = page.at()
  renderQr(page.doc, content, { x: page.left, y: top, size: QR_SIZE })
  const beside = { x: page.left + QR_SIZE + 18, width: page.width - QR_SIZE - 18 }
  const pieces = facts.flatMap(({ label, value }): Piece[] => [
    [label, SMALL],
    [value, BODY],
  ])
  const end = writeColumn(page, [[caption, SMALL], ...pieces], beside, top)
  page.skip(Math.max(QR_SIZE, end - top) + 12)
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
