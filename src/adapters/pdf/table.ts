// A table over as many pages as it needs: its head again on each, and rows that may be taller than a page.
import type { Block, Column } from '#ports/documents.ts'
import { type Page, type Place, SOFT, type Style } from './page.ts'

type TableBlock = Extract<Block, { kind: 'table' }>

const CELL: Style = { size: 9 }
const HEAD: Style = { size: 8, color: SOFT }
const GAP = 8

export function drawTable(page: Page, { columns, rows, totals }: TableBlock): void {
  const places = placesOf(page, columns)
  drawHead(page, columns, places)
  for (const row of rows) drawRow(page, columns, places, row)
  page.skip(6)
  for (const [index, { label, value }] of totals.entries()) {
    const style: Style = { size: 10, bold: index === totals.length - 1, align: 'right' }
    page.room(page.heightOf(style))
    page.put(label, page.at(), { x: page.left, width: page.width * 0.68 }, style)
    page.put(value, page.at(), { x: page.left, width: page.width }, style)
    page.skip(page.heightOf(style) + 2)
  }
  page.skip(10)
}

function placesOf(page: Page, columns: Column[]): Place[] {
  let x = page.left
  return columns.map(({ share }) => {
    const place = { x, width: page.width * share - GAP }
    x += page.width * share
    return { ...place, width: x >= page.left + page.width - 1 ? place.width + GAP : place.width }
  })
}

function drawHead(page: Page, columns: Column[], places: Place[]): void {
  page.room(page.heightOf(HEAD) * 2 + page.heightOf(CELL) * 2)
  drawCells(
    page,
    columns,
    places,
    columns.map(({ label }) => label),
    HEAD,
  )
  page.skip(3)
  page.rule()
  page.skip(5)
}

function drawRow(page: Page, columns: Column[], places: Place[], row: string[]): void {
  const onNewPage = () => drawHead(page, columns, places)
  drawCells(page, columns, places, row, CELL, onNewPage)
  page.skip(3)
  page.rule()
  page.skip(5)
}

/** Line by line, so that a page may end anywhere. */
function drawCells(
  page: Page,
  columns: Column[],
  places: Place[],
  texts: string[],
  style: Style,
  onNewPage?: () => void,
): void {
  const cells = places.map((place, index) => page.lines(texts[index] ?? '', style, place.width))
  const height = Math.max(...cells.map((cell) => cell.length))
  // A short row stays in one piece.
  const together = height <= 6 ? height : 1
  for (let line = 0; line < height; line++) {
    if (page.room(page.heightOf(style) * (line === 0 ? together : 1)) && onNewPage) onNewPage()
    for (const [index, place] of places.entries())
      page.put(cells[index]?.[line] ?? '', page.at(), place, { ...style, align: columns[index]?.align ?? 'left' })
    page.skip(page.heightOf(style))
  }
}
