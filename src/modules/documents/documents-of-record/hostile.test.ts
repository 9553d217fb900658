// Hostile text in every field that reaches a document: rendered as plain text, or refused with the field's name.
import { describe, expect, it } from 'vitest'
import { isVisibleText } from '#kernel/values/text/visible-text.ts'
import { appOfFile } from '#test/harness/app.ts'
import { LICENSE_LINE } from '#test/scenes/commerce.ts'
import { textOn } from '#test/harness/pdf-text.ts'
import type { Answer } from '#test/harness/world.ts'

const NASTY = {
  markup: '<script>alert(1)</script><img/src=x/onerror=alert(1)>{{7*7}}${7*7}',
  'PDF operators': ') Tj ET Q /JS (app.alert(1)) <</S /URI /URI (https://evil.example)>> endstream endobj %%EOF',
  'paths and addresses': 'file:///etc/passwd \\\\evil\\share https://evil.example/?a=1 javascript:alert(1)',
  'header lines': 'a"; filename="evil.exe',
  emoji: '👩‍💻🏴󠁧󠁢󠁥󠁮󠁧󠁿👍🏽🇧🇷 fim',
  'right to left': 'שלום (2026) مرحبا بالعالم ABC',
  'turned reading direction': 'fatura\u202egpj.exe\u2066x',
  'marks upon marks': `Z${'\u0301\u0316'.repeat(90)}`,
  'the page’s own placeholders': '{page} {pages} undefined null',
} as const

const app = await appOfFile({
  environment: {
    ENTITY_BR_NAME: NASTY.markup,
    ENTITY_BR_ADDRESS: NASTY['PDF operators'],
    ENTITY_BR_TAX_ID: NASTY.emoji,
  },
})
const acme = await app.world.organization()
const viewer = await acme.member({ scopes: ['contracts', 'quotes'] })

/** Sets the customer's fields in the database, because the routes would refuse such values. */
const call = (text: string) =>
  app.database.query(
    `update organizations set name = $2, legal_name = $2, address = $2, city = $2, email = $2, country = 'BR' where id = $1`,
    [acme.id, text],
  )

/** Names refuse invisible characters; texts accept them. */
const nameOf = (text: string) => (isVisibleText(text) ? text : 'Campus')

const contractWith = (text: string) => ({ title: nameOf(text), start_date: '2026-01-01', terms: text, notes: text })
const quoteWith = (text: string) => ({
  currency: 'BRL',
  company: 'entity_br',
  valid_until: '2099-12-31',
  notes: text,
  line_items: [{ ...LICENSE_LINE, product_name: nameOf(text), description: text }],
})

function expectHarmless({ status, data, headers }: Answer, fileName: RegExp): string {
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': expect.stringMatching(fileName),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  const file = data.toString('latin1')
  expect(file.slice(0, 5)).toBe('%PDF-')
  // Nothing of the text appears in the file's structure, outside of streams and strings.
  const structure = file.replaceAll(/stream\n[\s\S]*?\nendstream/g, '').replaceAll(/\((?:\\.|[^\\)])*\)/gs, '')
  expect(structure).not.toMatch(/\/(JS|JavaScript|URI|OpenAction|AA|Launch|EmbeddedFile|Annots \[\d)/)
  expect(file.match(/%%EOF/g)).toHaveLength(1)
  return textOn(data).join('\n')
}

describe.each(Object.entries(NASTY))('%s', (name, text) => {
  it('in a contract', async () => {
    await call(text)
    const made = await acme.staff.post('/contracts', contractWith(text))
    expect(made.status, made.raw.body).toBe(201)
    const { id } = made.data
    await acme.staff.post(`/contracts/${id}/status`, { status: 'active' })
    const page = expectHarmless(
      await viewer.get(`/contracts/${id}/pdf`),
      new RegExp(`^attachment; filename="Contrato-${id}\\.pdf"$`),
    )
    expect(page.replaceAll(/\s/g, '')).toContain(name === 'markup' ? text : '')
    expect(page).not.toContain('\u202e')
  })
  it('in a quote', async () => {
    await call(text)
    const made = await acme.staff.post('/quotes', quoteWith(text))
    expect(made.status, made.raw.body).toBe(201)
    const { id } = made.data
    await acme.staff.post(`/quotes/${id}/send`)
    const page = expectHarmless(
      await viewer.get(`/quotes/${id}/pdf`),
      /^attachment; filename="Orcamento-[\w-]+\.pdf"; filename\*=UTF-8''Or%C3%A7amento-[\w-]+\.pdf$/,
    )
    expect(page.replaceAll(/\s/g, '')).toContain(name === 'markup' ? '<script>alert(1)</script>' : '')
  })
})

describe('control characters', () => {
  it('422 with the field’s name where a single line is required; rendered as spaces where they are accepted', async () => {
    const nul = await acme.staff.post('/contracts', contractWith('a\u0000b'))
    expect(nul.status).toBe(422)
    expect(Object.keys(nul.errors?.fields ?? {}).toSorted()).toEqual(['notes', 'terms', 'title'])
    const text = 'a\u0007b\u001b[31mc\u0085d'
    const line = await acme.staff.post('/contracts', contractWith(text))
    expect([line.status, Object.keys(line.errors?.fields ?? {})]).toEqual([422, ['title']])
    const made = await acme.staff.post('/contracts', { ...contractWith(text), title: 'a' })
    await acme.staff.post(`/contracts/${made.data.id}/status`, { status: 'active' })
    const page = expectHarmless(await viewer.get(`/contracts/${made.data.id}/pdf`), /Contrato/)
    expect(page).toContain('a b [31mc')
  })
})

describe('very long text', () => {
  const megabyte = 'ação '.repeat(140_000)
  it('422 with the field’s name for a megabyte of notes, and nothing is created', async () => {
    const before = await app.database.query('select count(*) from quotes')
    const { notes: _notes, ...quote } = quoteWith('a')
    const answers = await Promise.all([
      acme.staff.post('/quotes', { ...quote, notes: megabyte }),
      acme.staff.post('/contracts', { title: 'a', start_date: '2026-01-01', notes: megabyte }),
      acme.staff.post('/contracts', { title: 'a', start_date: '2026-01-01', terms: megabyte }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422])
    expect(answers.map(({ errors }) => Object.keys(errors?.fields ?? {}))).toEqual([['notes'], ['notes'], ['terms']])
    expect(await app.database.query('select count(*) from quotes')).toEqual(before)
  })
  it('200 for a quote with the longest accepted value in every field', async () => {
    await call('Açaí')
    const line = { ...LICENSE_LINE, product_name: 'p'.repeat(200), description: 'palavra ão '.repeat(400) }
    const made = await acme.staff.post('/quotes', {
      ...quoteWith('n'.repeat(20_000)),
      line_items: Array.from({ length: 190 }, () => line),
    })
    expect(made.status).toBe(201)
    await acme.staff.post(`/quotes/${made.data.id}/send`)
    const page = expectHarmless(await viewer.get(`/quotes/${made.data.id}/pdf`), /Orcamento/)
    expect(page.match(/R\$\s150,00/g)?.length).toBeGreaterThanOrEqual(190)
  })
})
