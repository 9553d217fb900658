// Renders a table over as many pages as it needs: with its head on each page, each row on one page unless it is taller,
// and the totals on the page of the last row.
import type { Block, Column } from '#ports/documents.ts'
import { type Page, type Place, SOFT, type Style } from './page.ts'

type TableBlock = Extract<Block, { kind: 'table' }>
type Grid = { page: Page; columns: Column[]; places: Place[] }
/** `named`: how many lines of the first cell name the row; those below explain it. */
type Cells = { lines: string[][]; height: number; named: number }

const CELL: Style = { size: 9 }
const HEAD: Style = { size: 8, color: SOFT }
const GAP = 8
/** The space below each row, with its line. */
const UNDER = 8

export function renderTable(page: Page, { columns, rows, totals }: TableBlock): void {
  const grid = { page, columns, places: placesOf(page, columns) }
  const all = rows.map((row) => cellsOf(grid, row, CELL))
  const foot = totals.reduce((sum, { value }) => sum + totalHeight(page, value), 0) + 6
  // The head is on the page of the first row.
  page.room(headHeight(grid) + Math.min(all[0]?.height ?? 0, 3 * page.heightOf(CELL)))
  renderHead(grid)
  for (const [index, row] of all.entries()) renderRow(grid, row, index === all.length - 1 ? foot : 0)
  if (page.room(foot)) renderHead(grid)
  page.skip(6)
  for (const [index, { label, value }] of totals.entries()) {
    const style: Style = { size: 10, bold: index === totals.length - 1, align: 'right' }
    for (const [line, text] of page.lines(value, style, page.width * 0.3).entries()) {
      if (line === 0) page.put(page.fit(label, style), page.at(), { x: page.left, width: page.width * 0.68 }, style)
      page.put(text, page.at(), { x: page.left, width: page.width }, style)
      page.skip(page.heightOf(style))
    }
    page.skip(2)
  }
  page.skip(10)
}

const totalHeight = (page: Page, value: string): number => {
  const style: Style = { size: 10, bold: true }
  return page.lines(value, style, page.width * 0.3).length * page.heightOf(style) + 2
}

function placesOf(page: Page, columns: Column[]): Place[] {
  let x = page.left
  return columns.map(({ share }) => {
    const place = { x, width: page.width * share - GAP }
    x += page.width * share
    return { ...place, width: x >= page.left + page.width - 1 ? place.width + GAP : place.width }
  })
}

function cellsOf({ page, places }: Grid, texts: readonly string[], style: Style): Cells {
  const lines = places.map(({ width }, index) => page.lines(texts[index] ?? '', style, width))
  const [first = ''] = (texts[0] ?? '').split('\n', 1)
  const named = page.lines(first, style, places[0]?.width ?? 0).length
  return { lines, height: Math.max(...lines.map((cell) => cell.length)) * page.heightOf(style) + UNDER, named }
}

const headCells = (grid: Grid): Cells =>
  cellsOf(
    grid,
    grid.columns.map(({ label }) => label),
    HEAD,
  )
const headHeight = (grid: Grid): number => headCells(grid).height

function renderHead(grid: Grid): void {
  renderCells(grid, headCells(grid), HEAD)
}

/** `below`: height that has to be on the same page. */
function renderRow(grid: Grid, row: Cells, below: number): void {
  const { page } = grid
  const whole = page.height - headHeight(grid)
  // On one page with the height below it, else the row alone, else its first three lines.
  const together = [row.height + below, row.height].find((height) => height <= whole) ?? 3 * page.heightOf(CELL)
  if (page.room(together)) renderHead(grid)
  renderCells(grid, row, CELL)
}

/** Line by line, so that a row that is taller than a page can break anywhere. */
function renderCells(grid: Grid, { lines, height, named }: Cells, style: Style): void {
  const { page, columns, places } = grid
  const count = Math.round((height - UNDER) / page.heightOf(style))
  for (let line = 0; line < count; line++) {
    if (style === CELL && page.room(page.heightOf(style))) renderHead(grid)
    for (const [index, place] of places.entries()) {
      const color = index === 0 && line >= named ? { color: SOFT } : {}
      const align = columns[index]?.align ?? 'left'
      page.put(lines[index]?.[line] ?? '', page.at(), place, { ...style, ...color, align })
    }
    page.skip(page.heightOf(style))
  }
  page.skip(3)
  if (style === HEAD) page.rule(page.color, 1)
  else page.rule()
  page.skip(UNDER - 3)
}
