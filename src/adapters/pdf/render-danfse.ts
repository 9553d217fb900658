// The DANFSe v2.0 on its one page (NT 008): a frame, the head with the key and its QR code, sections of cells in four
// columns. Text that does not fit ends in an ellipsis.
import type { Cell, Danfse } from '#ports/documents.ts'
import { CM, renderQr, renderWatermark } from './marks.ts'
import { openPen, type Pen, type Place, RED, SOFT, type Style } from './page.ts'
import { cutTo } from './text.ts'

/** The layout requires 0.15 to 0.20 cm. */
const MARGIN = 0.18 * CM
/** The layout requires at least 1.52 cm. */
const QR = 1.9 * CM
const ASIDE = 108
const PAD = 3
const RULE = '#9aa3ad'
const BAR = '#e8ebef'
const BAR_HEIGHT = 10.5
const MOST_LINES = 2
/** More characters than a page holds; the others are not measured. */
const LONGEST = 12_000

const LABEL: Style = { size: 5.2, color: SOFT }
const VALUE: Style = { size: 7 }
const BAR_TEXT: Style = { size: 6.4, bold: true }
const STEP = 8.6

type Row = { cells: { cell: Cell; place: Place; lines: string[] }[]; wanted: number; grows: boolean }
type Band = { title: string; rows: Row[] }

export function renderDanfse(danfse: Danfse): Promise<Uint8Array> {
  const pen = openPen({
    title: `DANFSe ${danfse.accessKey}`,
    language: 'pt-BR',
    author: danfse.issuer.name.slice(0, 300),
    madeAt: danfse.madeAt,
    margin: MARGIN,
    content: danfse,
  })
  const { doc } = pen
  const bytes = pen.bytes()
  // Text near the edge must not begin a new page.
  doc.page.margins.bottom = 0
  const width = doc.page.width - 2 * MARGIN
  const bottom = doc.page.height - MARGIN
  let y = renderHead(pen, danfse, width)
  const bands = danfse.sections.map(({ title, rows }): Band => ({
    title,
    rows: rows.map((cells) => rowOf(pen, cells, { x: MARGIN, width })),
  }))
  fitInto(bottom - y, bands)
  for (const band of bands) y = renderBand(pen, band, y, width)
  doc
    .rect(MARGIN, MARGIN, width, bottom - MARGIN)
    .lineWidth(0.7)
    .strokeColor(RULE)
    .stroke()
  if (danfse.watermark !== undefined) renderWatermark(pen, danfse.watermark)
  doc.end()
  return bytes
}

/** Title and place, the access key, the first cells, and beside them the QR code of the authority's portal. */
function renderHead(pen: Pen, { accessKey, consultation, issuer, head, notice }: Danfse, width: number): number {
  const { doc, put } = pen
  const all = { x: MARGIN, width }
  put('DANFSe v2.0', MARGIN + 5, all, { size: 13, bold: true, align: 'center' })
  put('Documento Auxiliar da NFS-e', MARGIN + 21, all, { size: 7, align: 'center' })
  if (notice !== undefined) put(pen.fit(notice, NOTICE), MARGIN + 31, all, NOTICE)
  put('NFS-e', MARGIN + 8, { x: MARGIN + 8, width: 120 }, { size: 15, bold: true })
  put('Nota Fiscal de Serviço eletrônica', MARGIN + 26, { x: MARGIN + 8, width: 150 }, { size: 5.6, color: SOFT })
  const right = { x: MARGIN + width - 178, width: 170 }
  for (const [index, line] of linesIn(pen, issuer.place, { ...VALUE, align: 'right' }, right.width).entries())
    put(line, MARGIN + 10 + index * STEP, right, { ...VALUE, align: 'right' })
  const top = MARGIN + (notice === undefined ? 36 : 46)
  const main = { x: MARGIN, width: width - ASIDE }
  stroke(doc, MARGIN, top, width)
  put('CHAVE DE ACESSO DA NFS-e', top + PAD, within(main), LABEL)
  put(accessKey.replaceAll(/(.{5})(?=.)/g, '$1 '), top + PAD + 6.5, within(main), { size: 9.5, bold: true })
  let y = top + 23
  for (const cells of head) {
    stroke(doc, MARGIN, y, main.width)
    y = renderRow(pen, rowOf(pen, cells, main), y)
  }
  const beside = renderAside(pen, consultation, { x: MARGIN + main.width, width: ASIDE }, top)
  const end = Math.max(y, beside)
  doc
    .moveTo(MARGIN + main.width, top)
    .lineTo(MARGIN + main.width, end)
    .lineWidth(0.4)
    .strokeColor(RULE)
    .stroke()
  return end
}

const NOTICE: Style = { size: 10, bold: true, color: RED, align: 'center' }
const ABOUT_CODE =
  'A autenticidade desta NFS-e pode ser verificada pela leitura deste código QR ou pela consulta da chave ' +
  'de acesso no portal nacional da NFS-e'

function renderAside(pen: Pen, consultation: string, place: Place, top: number): number {
  renderQr(pen.doc, consultation, { x: place.x + (place.width - QR) / 2, y: top + 8, size: QR })
  let y = top + QR + 14
  const style: Style = { size: 4.4, color: SOFT, align: 'center' }
  for (const text of pen.lines(ABOUT_CODE, style, place.width - 2 * PAD)) {
    pen.put(text, y, within(place), style)
    y += 5.4
  }
  return y + 2
}

const within = ({ x, width }: Place): Place => ({ x: x + PAD, width: width - 2 * PAD })

function stroke(doc: PDFKit.PDFDocument, x: number, y: number, width: number): void {
  doc
    .moveTo(x, y)
    .lineTo(x + width, y)
    .lineWidth(0.4)
    .strokeColor(RULE)
    .stroke()
}

/** The lines of a value in its cell, at most two. */
function linesIn(pen: Pen, text: string, style: Style, width: number): string[] {
  const found = pen.lines(text.replaceAll(/\s+/g, ' ').slice(0, LONGEST), style, width)
  return cutTo(found, MOST_LINES, width, pen.measureOf(style))
}

function rowOf(pen: Pen, cells: readonly Cell[], { x, width }: Place): Row {
  let left = x
  const placed = cells.map((cell) => {
    const place = within({ x: left, width: (width * cell.span) / 4 })
    left += (width * cell.span) / 4
    const lines =
      cell.grows === true
        ? pen.lines(cell.value.slice(0, LONGEST), VALUE, place.width)
        : linesIn(pen, cell.value, VALUE, place.width)
    return { cell, place, lines }
  })
  return {
    cells: placed.map((one) => ({ ...one, lines: one.lines.map((text) => text.trimEnd()) })),
    wanted: Math.max(1, ...placed.map(({ lines }) => lines.length)),
    grows: cells.some(({ grows }) => grows),
  }
}

const labelHeight = ({ cells }: Row): number => (cells.some(({ cell }) => cell.label !== '') ? 7 : 1.5)
const heightOf = (row: Row, lines = row.wanted): number => PAD + labelHeight(row) + lines * STEP

/** Growing rows share the space that the others leave: as much as they need, else in equal parts. */
function fitInto(room: number, bands: readonly Band[]): void {
  const rows = bands.flatMap((band) => band.rows)
  const growing = rows.filter(({ grows }) => grows).toSorted((one, other) => one.wanted - other.wanted)
  const fixed =
    bands.length * BAR_HEIGHT + rows.reduce((sum, row) => sum + (row.grows ? heightOf(row, 0) : heightOf(row)), 0)
  let lines = Math.max(growing.length, Math.floor((room - fixed) / STEP))
  for (const [index, row] of growing.entries()) {
    row.wanted = Math.min(row.wanted, Math.max(1, Math.floor(lines / (growing.length - index))))
    lines -= row.wanted
  }
}

function renderBand(pen: Pen, { title, rows }: Band, top: number, width: number): number {
  const { doc } = pen
  doc.rect(MARGIN, top, width, BAR_HEIGHT).fill(BAR)
  stroke(doc, MARGIN, top, width)
  pen.put(pen.fit(title, BAR_TEXT), top + 2, within({ x: MARGIN, width }), BAR_TEXT)
  let y = top + BAR_HEIGHT
  for (const row of rows) {
    stroke(doc, MARGIN, y, width)
    y = renderRow(pen, row, y)
  }
  return y
}

function renderRow(pen: Pen, row: Row, top: number): number {
  const measure = pen.measureOf(VALUE)
  for (const { cell, place, lines } of row.cells) {
    if (cell.label !== '') pen.put(pen.fit(cell.label, LABEL), top + PAD - 1, place, LABEL)
    for (const [index, text] of cutTo(lines, row.wanted, place.width, measure).entries())
      pen.put(text, top + PAD - 1 + labelHeight(row) + index * STEP, place, VALUE)
  }
  return top + heightOf(row)
}
