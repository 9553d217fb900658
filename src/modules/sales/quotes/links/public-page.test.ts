// The page of a public link says of each line what the PDF says, before anybody agrees to it.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { LICENSE_LINE, sentQuote } from '#test/scenes/commerce.ts'
import { linkOf } from '#test/scenes/quote-links.ts'
import { blocksOf } from '../document.ts'

const app = await appOfFile()
const acme = await app.world.organization()

const { term_months: _term, ...ONCE } = LICENSE_LINE
const LINES = [
  { ...ONCE, product_name: 'Monitoring', interval: 'month', discount_percent: '10', quantity_min: 2, quantity_max: 20 },
  { ...LICENSE_LINE, product_name: 'Backup', description: 'Of two sites', tax_percent: '7.5', discount: '1.00' },
  {
    ...LICENSE_LINE,
    product_name: 'Training',
    is_optional: true,
    features: [{ key: 'max_users', type: 'number', value: 1000 }],
  },
]

async function pageOf(quote: number, language: string): Promise<string> {
  const { token } = await linkOf(acme, quote)
  const url = `/quotes/${token}`
  const answer = await app.service.app.inject({ method: 'GET', url, headers: { 'accept-language': language } })
  expect(answer.statusCode).toBe(200)
  return answer.body
    .replaceAll(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll('\u00a0', ' ')
}
/** The cells of the PDF's lines and their head, in single lines. */
async function printedOf(quote: number, language: 'en' | 'pt-BR'): Promise<string[]> {
  const { data } = await acme.staff.get(`/quotes/${quote}`)
  const tables = blocksOf({ ...data, replaces: null, replaced_by: null }, language).filter(
    (block) => block.kind === 'table',
  )
  const heads = tables.flatMap(({ columns }) => columns.map(({ label }) => label))
  return [...heads, ...tables.flatMap(({ rows }) => rows.flat())].flatMap((cell) =>
    cell.split('\n').map((text) => text.replaceAll('\u00a0', ' ')),
  )
}

describe('GET /quotes/{token}', () => {
  it.each(['en', 'pt-BR'] as const)('shows all that the PDF says of the lines, in %s', async (language) => {
    const quote = await sentQuote(acme, { line_items: LINES })
    const page = await pageOf(quote, language)
    const printed = await printedOf(quote, language)
    expect(printed.length).toBeGreaterThan(20)
    expect(printed.filter((text) => !page.includes(text))).toEqual([])
  })
  it('says how often a line is billed, its discount, and the range of its quantity', async () => {
    const quote = await sentQuote(acme, { line_items: LINES })
    const [english, portuguese] = [await pageOf(quote, 'en'), await pageOf(quote, 'pt-BR')]
    for (const text of ['billed monthly', 'Discount', '-R$15.00', 'Quantity from 2 to 20', 'for 12 months'])
      expect(english).toContain(text)
    for (const text of ['cobrança mensal', 'Desconto', '-R$ 15,00', 'Quantidade de 2 a 20', 'por 12 meses'])
      expect(portuguese).toContain(text)
  })
})
