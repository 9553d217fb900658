// The PDF adapter: literal text, page breaks, the same bytes for the same document, limits.
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { inflateSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { Busy } from '#kernel/values/errors.ts'
import type { DocumentTemplate } from '#ports/documents.ts'
import { textOn } from '#test/harness/pdf-text.ts'
import { createPdf } from './pdf.ts'
import { renderable, linesOf } from './text.ts'

const PATIENT = { timeLimitMs: 120_000, waitLimitMs: 120_000, startLimitMs: 120_000 }
const pdf = createPdf(PATIENT)
afterAll(() => pdf.close())

const TEMPLATE: DocumentTemplate = {
  language: 'pt-BR',
  title: 'Contrato',
  reference: 'Nº 7',
  madeAt: '2026-11-20T14:00:00.000Z',
  letterhead: { name: 'Vendedora Ltda.', lines: ['CNPJ 11.222.333/0001-81'] },
  recipient: { label: 'Cliente', lines: ['Açaí & Cia 👩‍💻 مرحبا שלום 日本'] },
  blocks: [{ kind: 'text', text: 'Ação, coração.\n\n\u202eabc\u0007' }],
  pageOf: 'Página {page} de {pages}',
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
const pagesIn = (bytes: Uint8Array): number => text(bytes).match(/\/Type \/Page\b(?!s)/g)?.length ?? 0

describe('render', () => {
  it('gives a PDF of one page, with its language and title', async () => {
    const bytes = await pdf.render(TEMPLATE)
    expect(text(bytes)).toMatch(/^%PDF-1\.\d/)
    expect(text(bytes)).toContain('/Lang (pt-BR)')
    expect(pagesIn(bytes)).toBe(1)
  })
  it('gives the same bytes for the same document, others for another', async () => {
    const [one, two] = [await pdf.render(TEMPLATE), await pdf.render(structuredClone(TEMPLATE))]
    expect(Buffer.compare(one, two)).toBe(0)
    expect(Buffer.compare(one, await pdf.render({ ...TEMPLATE, madeAt: '2026-11-21T14:00:00.000Z' }))).not.toBe(0)
    const fresh = createPdf(PATIENT)
    expect(Buffer.compare(one, await fresh.render(TEMPLATE))).toBe(0)
    await fresh.close()
  })
  it('has a text that can be searched, whichever letters an earlier document had', async () => {
    const own = createPdf(PATIENT)
    for (const word of ['café ação', 'Pedido recebido'])
      for (let thread = 0; thread < 4; thread++)
        expect(textOn(await own.render({ ...TEMPLATE, blocks: [{ kind: 'text', text: word }] })).join(' ')).toContain(
          word,
        )
    await own.close()
  })
  it('breaks a table, and a row taller than a page, over pages', async () => {
    const column = { label: 'Produto', share: 1, align: 'left' as const }
    const rows = [...Array.from({ length: 80 }, (_, index) => [`Linha ${index}`]), ['palavra '.repeat(2000)]]
    const bytes = await pdf.render({ ...TEMPLATE, blocks: [{ kind: 'table', columns: [column], rows, totals: [] }] })
    expect(pagesIn(bytes)).toBeGreaterThan(4)
  })
  it('renders texts literally: no links, no scripts', async () => {
    const nasty = '(a) Tj ET /JS (app.alert(1)) <</S /URI>> ) \\( %PDF https://evil.example'
    const bytes = await pdf.render({ ...TEMPLATE, title: nasty, blocks: [{ kind: 'text', text: nasty }] })
    expect(text(bytes)).not.toMatch(/\/(URI|JavaScript|OpenAction|Annots \[\d)/)
    // In a page's stream the text is glyph numbers, never plain characters.
    const streams = [...text(bytes).matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, stream = '']) =>
      inflated(stream),
    )
    expect(streams.some((stream) => stream.includes(' Tf'))).toBe(true)
    expect(streams.join('\n')).not.toContain('app.alert')
  })
  it('renders the longest texts in a bounded time', async () => {
    const long = 'Cláusula muito longa. '.repeat(900) + '字'.repeat(2000)
    const bytes = await pdf.render({ ...TEMPLATE, blocks: [{ kind: 'text', text: long }] })
    expect(bytes.length).toBeLessThan(5 * 1024 * 1024)
  })
  it('503 for a document that takes too long, and renders the next one', async () => {
    const hasty = createPdf({ ...PATIENT, timeLimitMs: 1 })
    const many = { kind: 'text' as const, text: 'palavra '.repeat(20_000) }
    await expect(hasty.render({ ...TEMPLATE, blocks: [many] })).rejects.toBeInstanceOf(Busy)
    await hasty.close()
  })
  it('503 for too many at once, an error for a document that is too large', async () => {
    const small = createPdf({ ...PATIENT, maxWaiting: 2, maxBytes: 100 })
    const answers = await Promise.allSettled([small.render(TEMPLATE), small.render(TEMPLATE), small.render(TEMPLATE)])
    const reasons = answers.map((one) => (one.status === 'rejected' ? String(one.reason) : 'rendered'))
    expect(reasons.filter((reason) => reason.includes('bytes'))).toHaveLength(2)
    expect(answers[2]).toMatchObject({ reason: expect.any(Busy) })
    await small.close()
  })
  it('503 for who waits for a thread that does not start in time; the thread serves the next one', async () => {
    const hasty = createPdf({ ...PATIENT, waitLimitMs: 1 })
    const begun = once(process, 'worker')
    await expect(hasty.render(TEMPLATE)).rejects.toThrow(new Busy('it waited too long'))
    const [thread]: Worker[] = await begun
    let threads = 0
    const count = () => threads++
    process.on('worker', count)
    await once(thread ?? process, 'message')
    expect([pagesIn(await hasty.render(TEMPLATE)), threads]).toEqual([1, 0])
    process.off('worker', count)
    await hasty.close()
  })
  it('ends a thread that has nothing to do, and starts another for the next document', async () => {
    const impatient = createPdf({ ...PATIENT, idleMs: 50 })
    const threadOf = once(process, 'worker')
    const first = await impatient.render(TEMPLATE)
    const [thread]: Worker[] = await threadOf
    await once(thread ?? process, 'exit')
    expect(Buffer.compare(await impatient.render(TEMPLATE), first)).toBe(0)
    await impatient.close()
  })
  it('stops in the middle of a document', async () => {
    const stopped = createPdf()
    const waiting = stopped.render(TEMPLATE)
    waiting.catch(() => {})
    await stopped.close()
    await expect(waiting).rejects.toBeInstanceOf(Busy)
  })
})

function inflated(stream: string): string {
  try {
    return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1')
  } catch {
    return ''
  }
}

const isLatin = (grapheme: string) => (grapheme.codePointAt(0) ?? 0) < 0x250

describe('text', () => {
  it('has a square for each sign that no font has, and no direction controls', () => {
    expect(renderable('a👩‍💻b\u202ec\u0000d', isLatin)).toBe('a□bc d')
    expect(renderable('Ac\u0327a\u0303o\r\nx', isLatin)).toBe('Ação\nx')
  })
  it('keeps joiners in emoji and Devanagari, where they have a meaning', () => {
    expect(renderable('👩\u200d💻 ❤\ufe0f क्\u200dष a\u200db\u200cc', () => true)).toBe('👩\u200d💻 ❤ क्\u200dष abc')
  })
  it('breaks between words, and in words that are too long', () => {
    expect(linesOf('ab cd efghijk\n\nl', 5, (piece) => piece.length)).toEqual(['ab cd', 'efghi', 'jk', '', 'l'])
  })
  it.each([
    ['サポート契約（年間）、', 6, ['サポート契約', '（年間）、']],
    ['abc 東京都の会社', 7, ['abc 東京都', 'の会社']],
    ['การสนับสนุนลูกค้า', 11, ['การสนับสนุน', 'ลูกค้า']],
    ['Total：1.000,00円', 12, ['Total：', '1.000,00円']],
  ])('breaks %j, which has no spaces, between its words', (given, width, lines) => {
    expect(linesOf(given, width, (piece) => piece.length)).toEqual(lines)
  })
})
