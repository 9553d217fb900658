// Lists page by page, files up and down, against a listening service.
import { describe, expect, expectTypeOf, it } from 'vitest'
import { appOfFile } from '../../../test/harness/app.ts'
import { draftQuote, sentQuote } from '../../../test/scenes/commerce.ts'
import {
  createDocument,
  downloadDocument,
  downloadQuotePdf,
  getQuote,
  listQuotes,
  NotFoundError,
  type QuoteSummary,
} from '../src/index.ts'
import { clientOf, failureOf } from './client.ts'

const app = await appOfFile({ listens: true })
const acme = await app.world.organization()
const { titular } = clientOf(app, acme.owner, acme.id)
const staff = clientOf(app, acme.staff, acme.id).titular

describe('files', () => {
  it('go up as a form and come down as a stream with their name', async () => {
    const content = 'Olá 😀\n'.repeat(10_000)
    const file = new File([content], 'Plano “2026” 😀.txt', { type: 'text/plain' })
    const { id } = await titular.call(createDocument, { body: { file, category: 'technical' } })
    const found = await titular.download(downloadDocument, { id })
    expect(found).toMatchObject({ fileName: file.name, size: file.size, etag: /^"/ })
    const parts: Uint8Array[] = []
    for await (const part of found.stream) parts.push(part)
    expect(Buffer.concat(parts).toString()).toBe(content)
    expect(await (await titular.download(downloadDocument, { id })).text()).toBe(content)
  })
  it('are refused as records are', async () => {
    expect(await failureOf(titular.download(downloadQuotePdf, { id: 999_999 }))).toBeInstanceOf(NotFoundError)
    const { id } = await draftQuote(acme)
    const pdf = await staff.download(downloadQuotePdf, { id })
    expect([pdf.type, pdf.fileName]).toEqual(['application/pdf', expect.stringMatching(/\.pdf$/)])
    expect(new TextDecoder().decode((await pdf.bytes()).slice(0, 5))).toBe('%PDF-')
    // @ts-expect-error no file
    void (() => titular.download(getQuote, { id }))
  })
  it('have no name of another folder', async () => {
    const { fileNameOf } = await import('../src/download.ts')
    const names = ['../../etc/passwd', 'C:\\\\boot.ini', 'a\\"b.txt'].map((name) =>
      fileNameOf(`attachment; filename="${name}"`),
    )
    expect(names).toEqual(['passwd', 'boot.ini', 'a"b.txt'])
    expect(fileNameOf(`attachment; filename="x.txt"; filename*=UTF-8''%E2%82%AC..%2Fy.txt`)).toBe('y.txt')
    expect([fileNameOf('attachment'), fileNameOf(`a; filename*=UTF-8''%zz`)]).toEqual([null, '%zz'])
  })
})

describe('pages', () => {
  it('give every record once, by cursor, whatever comes meanwhile', async () => {
    const org = await app.world.organization()
    const ids: number[] = []
    for (let count = 0; count < 5; count++) ids.unshift(await sentQuote(org))
    const { titular: mine, sent: asked } = clientOf(app, org.owner, org.id)
    const found: number[] = []
    for await (const quote of mine.pages(listQuotes, { per_page: 2 })) {
      expectTypeOf(quote).toEqualTypeOf<QuoteSummary>()
      found.push(quote.id)
      if (found.length === 1) await sentQuote(org)
    }
    expect(found).toEqual(ids)
    expect(asked.map(({ path }) => path.replace(/cursor=(?!first).+$/, 'cursor=…'))).toEqual([
      '/quotes?per_page=2&cursor=first',
      '/quotes?per_page=2&cursor=…',
      '/quotes?per_page=2&cursor=…',
    ])
    const first = mine.pages(listQuotes, { per_page: 2 })
    for await (const quote of first) if (quote.id) break
    expect(asked).toHaveLength(4)
  })
  it('by number where there is no cursor, and from the page that was asked for', async () => {
    const org = await app.world.organization()
    for (let count = 0; count < 3; count++) await sentQuote(org)
    const { titular: mine, sent: asked } = clientOf(app, org.owner, org.id)
    const sizes: number[] = []
    for await (const { items, meta } of mine.pages(listQuotes, { per_page: 1, page: 2 }).byPage())
      sizes.push(items.length, meta?.page ?? 0)
    expect(sizes).toEqual([1, 2, 1, 3])
    expect(asked).toHaveLength(2)
    const none = []
    for await (const { items } of mine.pages(listQuotes, { page: 9 }).byPage()) none.push(...items)
    expect(none).toEqual([])
  })
})
