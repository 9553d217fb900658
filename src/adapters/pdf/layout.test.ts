// The layout of documents: tables over several pages, watermark and QR code, any text in bounded time.
import { describe, expect, it } from 'vitest'
import type { Block, DocumentTemplate } from '#ports/documents.ts'
import { textOn, writtenOn } from '#test/harness/pdf-text.ts'
import { qrCodeOn } from '#test/harness/qr-code.ts'
import { visualRuns } from './bidi.ts'
import { renderDocument } from './render-document.ts'
import { shortened } from './shorten.ts'

const template = (blocks: Block[], more: Partial<DocumentTemplate> = {}): DocumentTemplate => ({
  language: 'pt-BR',
  title: 'Fatura',
  reference: 'BR-7',
  madeAt: '2026-11-20T14:00:00.000Z',
  letterhead: { name: 'Vendedora Ltda.', lines: [] },
  recipient: { label: 'Cliente', lines: ['Açaí'] },
  blocks,
  pageOf: 'Página {page} de {pages}',
  ...more,
})
const columns = [
  { label: 'Produto', share: 0.7, align: 'left' as const },
  { label: 'Preço', share: 0.3, align: 'right' as const },
]
const TOTALS = ['Subtotal', 'Desconto', 'Impostos', 'Total'].map((label) => ({ label, value: `${label} 1,00` }))
const table = (rows: string[][]): Block => ({ kind: 'table', columns, rows, totals: TOTALS })

describe('a table over several pages', () => {
  it('has its head on each page, and each row on one page', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => [
      Array.from({ length: 1 + (index % 13) }, (_line, line) => `L${index}.${line}`).join('\n'),
      `P${index}.`,
    ])
    const pages = textOn(await renderDocument(template([table(rows)])))
    expect(pages.length).toBeGreaterThan(3)
    for (const page of pages) expect(page.match(/^Produto$/gm)).toHaveLength(1)
    for (const [index, [lines = '']] of rows.entries()) {
      const on = pages.filter((page) => page.split('\n').includes(`P${index}.`))
      expect(on).toHaveLength(1)
      for (const line of lines.split('\n')) expect(on[0]?.split('\n')).toContain(line)
    }
  })
  it('breaks only a row that is taller than a page, and begins it where the row before ends', async () => {
    const pages = textOn(
      await renderDocument(
        template([
          table([
            ['A', '1'],
            ['x\n'.repeat(120), '2'],
          ]),
        ]),
      ),
    )
    expect(pages[0]).toContain('A')
    expect(pages[0]?.match(/^x$/gm)?.length).toBeGreaterThan(20)
    for (const page of pages) expect(page).toContain('Produto')
  })
  it('keeps its totals together and on the page of the last row', async () => {
    for (let count = 20; count < 36; count++) {
      const rows = Array.from({ length: count }, (_, index) => [`Linha ${index}`, '1,00'])
      const pages = textOn(await renderDocument(template([table(rows)])))
      const last = pages.at(-1) ?? ''
      for (const text of [`Linha ${count - 1}`, ...TOTALS.map(({ value }) => value)]) expect(last).toContain(text)
    }
  })
})

describe('marks', () => {
  it('has a watermark of 50 pt or more across each page, and the notice above the text', async () => {
    for (const watermark of ['ANULADA', 'SUBSTITUÍDA', 'NÃO VALE MAIS '.repeat(9)]) {
      const bytes = await renderDocument(
        template([table([['x\n'.repeat(120), '2']])], { watermark, notice: 'Sem valor' }),
      )
      for (const page of writtenOn(bytes)) {
        const large = page.filter(({ size }) => size >= 50)
        expect(large.map(({ text }) => text).join('')).toMatch(new RegExp(`^${watermark.slice(0, 12)}`))
      }
      expect(textOn(bytes)[0]).toContain('Sem valor')
    }
  })
  it.each(['https://a.example/1', '00020126580014br.gov.bcb.pix0136ação € 日本', '7'.repeat(300)])(
    'has a QR code in vectors of %j, with its caption beside it',
    async (content) => {
      const bytes = await renderDocument(template([{ kind: 'qr', content, caption: 'Pague' }]))
      expect(textOn(bytes)[0]).toContain('Pague')
      expect(qrCodeOn(bytes)).toEqual({ text: content, side: expect.closeTo(2.4 * 28.35, 1) })
    },
  )
})

describe('signatures', () => {
  const LONG = 'Associação de Moradores 👩‍💻 '.repeat(8)
  const parties = [
    { name: 'Vendedora Ltda.', role: 'Contratada', fields: ['CPF:'] },
    { name: LONG, role: 'Contratante', fields: ['CPF:'] },
  ]
  it('are on one page, however full the one before is', async () => {
    for (const lines of [0, 20, 30, 40, 45, 50]) {
      const pages = textOn(
        await renderDocument(
          template([
            { kind: 'text', text: 'x\n'.repeat(lines) },
            { kind: 'signatures', placeAndDate: 'Local e data', parties },
          ]),
        ),
      )
      const on = pages.filter((page) => /Local e data|Contratada|Contratante|CPF:/.test(page))
      expect(on).toHaveLength(1)
      for (const text of ['Vendedora Ltda.', 'Local e data', 'Contratada', 'Contratante']) expect(on[0]).toContain(text)
    }
  })
})

describe('right-to-left text', () => {
  it.each([
    ['plain (text) 1.', ['plain (text) 1.']],
    ['שלום עולם!', ['!', 'עולם', ' ', 'שלום']],
    ['Total: שלום 123, fim.', ['Total: ', '123', ' ', 'שלום', ', fim.']],
    ['abc (שלום) def', ['abc (', 'שלום', ') def']],
    ['מספר 12.345 (דחוף)', ['(', 'דחוף', ') ', '12.345', ' ', 'מספר']],
    ['הזמנה של ACME Ltd', ['ACME Ltd', ' ', 'של', ' ', 'הזמנה']],
    ['הנחה 50%', ['50%', ' ', 'הנחה']],
    ['السعر: ١٢٣٫٤٥ ريال', ['ريال', ' ', '١٢٣٫٤٥', ' :', 'السعر']],
  ])('%s', (line, runs) => {
    expect(visualRuns(line)).toEqual(runs)
  })
  it('has the letters of a word reversed once', async () => {
    const [page = ''] = textOn(await renderDocument(template([{ kind: 'text', text: 'Nome שלום' }])))
    expect(page).toContain('Nome \nםולש')
  })
})

describe('any text', () => {
  const million = 1_000_000
  it.each([
    ['marks on one letter', `a${'\u0301'.repeat(20_000)}`],
    ['marks of two kinds', `a${'\u0301\u0316'.repeat(10_000)}`],
    ['words', 'palavra ão '.repeat(million / 11)],
    ['one word', 'x'.repeat(million)],
    ['words of which none comes twice', Array.from({ length: million / 8 }, (_, index) => `w${index}`).join(' ')],
    ['emoji', '👩‍💻'.repeat(million / 5)],
    ['emoji and spaces', '😀 '.repeat(million / 3)],
    ['Chinese', '字'.repeat(million)],
    ['line ends', '\n'.repeat(million)],
    ['Arabic', 'مرحبا بالعالم '.repeat(million / 14)],
    ['an Arabic word', 'م'.repeat(million)],
    ['control characters', '\u0007'.repeat(million)],
    ['half a pair', '\ud83d'.repeat(million)],
  ])('1 MB of it (%s) is rendered within the time of a document', async (_name, text) => {
    const begun = process.threadCpuUsage()
    const bytes = await renderDocument(
      template([table([[text, text]]), { kind: 'text', text }], { recipient: { label: text, lines: [text] } }),
    )
    // CPU time of this thread, not the clock, so that other work on the machine does not fail this.
    expect(process.threadCpuUsage(begun).user / 1000).toBeLessThan(3000)
    expect(bytes.length).toBeLessThan(1024 * 1024)
  })
  it('shortens the longest texts only, and none of a document of usual size', () => {
    const usual = template([{ kind: 'text', text: 'Cláusula.\n'.repeat(1500) }])
    expect(shortened(usual)).toBe(usual)
    const large = template([table([['a'.repeat(200_000), '1.000,00']]), { kind: 'text', text: 'Observação' }])
    const [cells, note] = shortened(large).blocks
    expect(note).toEqual({ kind: 'text', text: 'Observação' })
    expect(cells).toMatchObject({ rows: [[expect.stringMatching(/^a{119000,120000}…$/), '1.000,00']], totals: TOTALS })
  })
})
