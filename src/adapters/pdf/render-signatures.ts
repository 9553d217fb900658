// The lines on which the parties of a contract sign, side by side.
import type { Block } from '#ports/documents.ts'
import { type Page, type Piece, SOFT, type Style, writeColumn } from './page.ts'

const BODY: Style = { size: 9.5 }
const SMALL: Style = { size: 8, color: SOFT }
const GAP = 32
/** The space above a line, for a signature by hand. */
const ROOM = 44
const FIELD = 20
/** Of the name of a party. */
const MOST_LINES = 3

export function renderSignatures(page: Page, { placeAndDate, parties }: Extract<Block, { kind: 'signatures' }>): void {
  const width = (page.width - GAP * (parties.length - 1)) / parties.length
  const names = parties.map(({ name }) => page.lines(name, { ...BODY, bold: true }, width).slice(0, MOST_LINES))
  const nameLines = Math.max(1, ...names.map((lines) => lines.length))
  const fields = Math.max(0, ...parties.map((party) => party.fields.length))
  const heights = { name: nameLines * page.heightOf(BODY), fields: fields * FIELD }
  page.room(ROOM + page.heightOf(SMALL) + ROOM + heights.name + page.heightOf(SMALL) + heights.fields + 10)
  page.skip(ROOM)
  line(page, page.left, page.width * 0.6)
  page.skip(4)
  page.put(page.fit(placeAndDate, SMALL), page.at(), { x: page.left, width: page.width }, SMALL)
  page.skip(page.heightOf(SMALL) + ROOM)
  for (const [index, { role, fields: written }] of parties.entries()) {
    const x = page.left + index * (width + GAP)
    const place = { x, width }
    line(page, x, width)
    const said: Piece[] = [
      [(names[index] ?? []).join('\n'), { ...BODY, bold: true }],
      [role, SMALL],
    ]
    writeColumn(page, said, place, page.at() + 4)
    const below = page.at() + 4 + heights.name + page.heightOf(SMALL)
    for (const [nth, label] of written.entries()) {
      const y = below + (nth + 1) * FIELD - page.heightOf(SMALL)
      const text = page.fit(label, SMALL)
      page.put(text, y, place, SMALL)
      const begin = page.measureOf(SMALL)(text) + 6
      line(page, x + begin, width - begin, y + page.heightOf(SMALL) - 1)
    }
  }
  page.skip(4 + heights.name + page.heightOf(SMALL) + heights.fields + 10)
}

const line = ({ doc, at }: Page, x: number, width: number, y = at()): void =>
  void doc
    .moveTo(x, y)
    .lineTo(x + width, y)
    .lineWidth(0.5)
    .strokeColor(SOFT)
    .stroke()
