// Graphics on a page: a QR code as vectors, a watermark across the page.
import { encode } from 'uqr'
import { cutTo } from './text.ts'
import type { Pen, Style } from './page.ts'

/** Points in a centimetre. */
export const CM = 72 / 2.54
/** Side of the QR code on a document; the DANFSe's must not be smaller than 1.52 cm. */
export const QR_SIZE = 2.4 * CM
/** White modules that a scanner needs around the code. */
const QUIET = 4

/** `size` is that of the code without the white around it. */
export function renderQr(doc: PDFKit.PDFDocument, content: string, at: { x: number; y: number; size: number }): void {
  // Level M: readable with a sixth of the code damaged.
  const { data: rows } = encode(content, { ecc: 'M', border: 0 })
  const module = at.size / rows.length
  const quiet = QUIET * module
  doc.rect(at.x - quiet, at.y - quiet, at.size + 2 * quiet, at.size + 2 * quiet).fill('#ffffff')
  for (const [row, modules] of rows.entries())
    for (let start = 0; start < modules.length; start++) {
      if (!modules[start]) continue
      let end = start
      while (modules[end]) end++
      doc.rect(at.x + start * module, at.y + row * module, (end - start) * module, module)
      start = end
    }
  doc.fill('#000000')
}

const LARGEST = 110
const SMALLEST = 50

/** From the lower left to the upper right of the current page, as large as fits, and never smaller than 50 pt. */
export function renderWatermark({ doc, put, fit, measureOf }: Pen, text: string): void {
  const { width, height } = doc.page
  const room = Math.hypot(width, height) * 0.72
  const line = fit(text.replaceAll('\n', ' '), { size: LARGEST, bold: true })
  const size = Math.min(LARGEST, Math.max(SMALLEST, room / measureOf({ size: 1, bold: true })(line)))
  const style: Style = { size, bold: true, color: '#b42318', align: 'center' }
  const [visible = ''] = measureOf(style)(line) > room ? cutTo([line, ''], 1, room, measureOf(style)) : [line]
  doc.save()
  doc.rotate(-(Math.atan2(height, width) * 180) / Math.PI, { origin: [width / 2, height / 2] })
  doc.fillOpacity(0.16)
  put(visible, height / 2 - size * 0.6, { x: 0, width }, style)
  doc.restore()
  doc.fillOpacity(1)
}
