// The content of a quote's PDF. The adapter's tests cover the rendering, and contracts/pdf.test.ts the route.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { draftQuote, LICENSE_LINE } from '#test/scenes/commerce.ts'
import { blocksOf } from './document.ts'

const app = await appOfFile()
const acme = await app.world.organization()

const LINES = [
  { ...LICENSE_LINE, discount_percent: '10', tax_percent: '7.5' },
  { ...LICENSE_LINE, quantity: 1, term_months: null, description: 'Once' },
]

const plainOf = (text: string): string => text.replaceAll('\u00a0', ' ')

async function printed(language: 'pt-BR' | 'en', body: object, links: object = {}) {
  const quote = await draftQuote(acme, body)
  const blocks = blocksOf({ ...quote, replaces: null, replaced_by: null, ...links }, language)
  const [facts] = blocks.flatMap((block) => (block.kind === 'facts' ? [block.facts] : []))
  const [table] = blocks.flatMap((block) => (block.kind === 'table' ? [block] : []))
  if (!facts || !table) throw new Error('a quote has facts and a table')
  const pairs = (of: typeof facts) => of.map(({ label, value }) => [label, plainOf(value)])
  return {
    facts: pairs(facts),
    head: table.columns.map(({ label }) => label),
    width: table.columns.reduce((sum, { share }) => sum + share, 0),
    rows: table.rows.map((row) => row.map(plainOf)),
    totals: pairs(table.totals),
    rest: blocks.slice(2),
  }
}

describe('the PDF of a quote', () => {
  it('shows discounts, taxes, purchase order and version, in Portuguese', async () => {
    const links = { version: 2, replaces: 'Q-42', replaced_by: 'Q-42-v3' }
    const body = { line_items: LINES, purchase_order: 'PO <b>7</b> 🧾', notes: 'مرحبا' }
    const { facts, head, width, rows, totals, rest } = await printed('pt-BR', body, links)
    expect(facts).toEqual([
      ['Válido até', '31 de dezembro de 2099'],
      ['Situação', 'Rascunho'],
      ['Pedido de compra', 'PO <b>7</b> 🧾'],
      ['Versão', '2'],
      ['Substitui', 'Q-42'],
      ['Substituído por', 'Q-42-v3'],
    ])
    expect(head).toEqual(['Produto', 'Qtd.', 'Preço unitário', 'Desconto', 'Impostos', 'Total'])
    expect(width).toBeCloseTo(1)
    expect(rows).toEqual([
      ['Backup “Pro” 🚀\npor 12 meses', '5', 'R$ 30,00', '-R$ 15,00', 'R$ 10,13\n7,5%', 'R$ 145,13'],
      ['Backup “Pro” 🚀\nOnce', '1', 'R$ 30,00', '', '', 'R$ 30,00'],
    ])
    expect(totals).toEqual([
      ['Subtotal', 'R$ 180,00'],
      ['Desconto', '-R$ 15,00'],
      ['Impostos', 'R$ 10,13'],
      ['Total', 'R$ 175,13'],
    ])
    expect(rest).toEqual([
      { kind: 'heading', text: 'Observações' },
      { kind: 'text', text: 'مرحبا' },
    ])
  })
  it('has no columns without values, in English', async () => {
    const taxed = await printed('en', {
      currency: 'JPY',
      line_items: [{ ...LICENSE_LINE, unit_price: '3', tax_percent: '8' }],
    })
    expect(taxed.head).toEqual(['Product', 'Qty.', 'Unit price', 'Tax', 'Total'])
    expect(taxed.rows).toEqual([['Backup “Pro” 🚀\nfor 12 months', '5', '¥3', '¥1\n8%', '¥16']])
    const plain = await printed('en', {})
    expect(plain.head).toEqual(['Product', 'Qty.', 'Unit price', 'Total'])
    expect(plain.totals.map(([label]) => label)).toEqual(['Subtotal', 'Total'])
    expect(plain.facts.map(([label]) => label)).toEqual(['Valid until', 'Status'])
    for (const { width } of [taxed, plain]) expect(width).toBeCloseTo(1)
  })
})

describe('an adjusted price', () => {
  const adjustment = {
    price_index: 'IGP-M',
    from_month: '2025-11',
    until_month: '2026-10',
    accumulated_percent: '-3.18',
    applied_percent: '0.00',
    unit_price_before: '1234.50',
    discount_before: '0.00',
  }
  const nameIn = async (language: 'pt-BR' | 'en', more: object, links: object = {}) => {
    const { line_items } = await draftQuote(acme, { line_items: [{ ...LICENSE_LINE, description: 'Once' }] })
    const adjusted = [{ ...line_items[0], adjustment: { ...adjustment, ...more } }]
    const { rows } = await printed(language, {}, { line_items: adjusted, ...links })
    return rows[0]?.[0]?.split('\n').slice(2)
  }
  it('is explained in both languages, also after the acceptance', async () => {
    const whole = { accumulated_percent: '4.62', applied_percent: '4.62' }
    expect(await nameIn('pt-BR', whole)).toEqual([
      'Once',
      'Reajuste pelo IGP-M, de novembro de 2025 a outubro de 2026: 4,62%; preço unitário anterior: R$ 1.234,50',
    ])
    expect(await nameIn('en', {}, { accepted_at: '2026-11-20T12:00:00.000Z' })).toEqual([
      'Once',
      'Adjusted by IGP-M, November 2025 to October 2026: -3.18%, applied 0%; unit price before: R$1,234.50',
    ])
  })
})

describe('what the customer may choose', () => {
  const body = {
    line_items: [
      { ...LICENSE_LINE, quantity_min: 2, quantity_max: 20 },
      { ...LICENSE_LINE, product_name: 'Set-up', quantity: 1, is_optional: true, is_chosen: true },
      { ...LICENSE_LINE, product_name: 'Training', quantity: 1, unit_price: '70.00', is_optional: true },
    ],
  }
  it('is said at its line; what is not chosen has a table of its own, outside of the total', async () => {
    const { rows, totals, rest } = await printed('en', body)
    expect(rows.map(([name]) => name)).toEqual([
      'Backup “Pro” 🚀\nfor 12 months\nQuantity from 2 to 20',
      'Set-up\nfor 12 months\nOptional; included in the total',
    ])
    expect(totals.at(-1)).toEqual(['Total', 'R$180.00'])
    expect(rest).toMatchObject([
      { kind: 'heading', text: 'Options' },
      { kind: 'text', text: 'Not included in the total. You can add them when you accept.' },
      { kind: 'table', totals: [], rows: [['Training\nfor 12 months', '1', 'R$70.00', 'R$70.00']] },
    ])
  })
  it('is left out once the quote is accepted', async () => {
    const { rows, rest } = await printed('en', body, { accepted_at: '2026-11-20T12:00:00.000Z' })
    expect(rows.map(([name]) => name)).toEqual(['Backup “Pro” 🚀\nfor 12 months', 'Set-up\nfor 12 months'])
    expect(rest).toEqual([])
  })
})
