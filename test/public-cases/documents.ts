import { expect } from 'vitest'
import { startApp } from '#test/harness/app.ts'
import { textOn } from '#test/harness/pdf-text.ts'
import { LICENSE_LINE, sentQuote } from '#test/scenes/commerce.ts'
import { linkOf } from '#test/scenes/quote-links.ts'
import { recipientValues } from '../../src/adapters/nfse/recipient.ts'
import { problems } from '../../src/adapters/nfse/problems.ts'
import { latin } from '../../src/adapters/nfse/wording.ts'
import { COMPANY, PROFILE } from '#test/scenes/nfse-fixtures.ts'
import type { PublicCase } from './public-case.ts'

/** The header lines of a request in HTTP/1.1. */
const headersIn = (request: string): Record<string, string> =>
  Object.fromEntries(
    request
      .split(/\r?\n/)
      .slice(1)
      .filter((line) => line.includes(':'))
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )

const inCity = (cityCode: string) => ({ address: { ...COMPANY.address, cityCode } })

const fieldsOf = (more: object): (string | null)[] => {
  const found = problems()
  recipientValues(
    { ...COMPANY, ...more },
    {
      rule: 'whole',
      isIssWithheld: false,
      profile: PROFILE,
      problems: found,
    },
  )
  return found.list.map(({ detail }) => detail)
}

export const documentsCases: PublicCase[] = [
  {
    name: 'view-by-scanner',
    expected: 'the quote is still sent after a prefetch, and viewed when somebody opens it',
    standard: 'Fetch, Sec-Purpose; RFC 9110 9.2.1',
    async check({ text }) {
      const app = await startApp()
      const acme = await app.world.organization()
      const quote = await sentQuote(acme)
      const { token } = await linkOf(acme, quote)
      const open = (headers: Record<string, string>) =>
        app.service.app.inject({ method: 'GET', url: `/quotes/${token}`, headers })
      const statusOf = async () => (await acme.staff.get(`/quotes/${quote}`)).data.status
      const ahead = [headersIn(text('request.http')), { 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }]
      expect(ahead[0]).toHaveProperty('sec-purpose')
      for (const headers of [...ahead, { 'x-moz': 'prefetch' }, { 'x-purpose': 'preview' }]) {
        const { statusCode, body } = await open(headers)
        expect([statusCode, body.includes(`Q-${quote}`), await statusOf()]).toEqual([200, true, 'sent'])
      }
      const { data } = await acme.staff.get(`/quotes/${quote}/links`)
      expect(data.map(({ view_count }: { view_count: number }) => view_count)).toEqual(data.map(() => 0))
      await open({})
      expect(await statusOf()).toBe('viewed')
      await app.close()
    },
  },
  {
    name: 'dps-letters',
    expected: 'letters without a decomposition are written in their nearest form',
    standard: 'Unicode CLDR, Latin-ASCII; the layout takes Latin-1',
    async check({ json }) {
      expect(latin(json('recipient.json').address, 255)).toBe('Rua OEuvre Lodz Dorde isik')
      expect(latin('Praça “São João” nº 5, Straße Ærø', 255)).toBe('Praça "São João" nº 5, Straße Ærø')
    },
  },
  {
    name: 'dps-ibge',
    expected: 'a city code or a CPF with wrong check digits is a problem of its field, before anything is sent',
    standard: 'IBGE, codes of municipalities; Receita Federal, check digits of the CPF',
    async check({ json }) {
      const [{ ibge_code }, { id_number }] = json('recipient.json')
      const taxId = id_number.replaceAll(/\D/g, '')
      expect(fieldsOf(inCity(ibge_code))).toEqual(['ibge_code'])
      expect(fieldsOf({ taxId })).toEqual(['id_number'])
      for (const right of ['3303302', '3550308', '5300108', '2201919']) expect(fieldsOf(inCity(right))).toEqual([])
      expect(fieldsOf({ taxId: '52998224725' })).toEqual([])
    },
  },
  {
    name: 'pdf-scripts',
    expected: 'names in Japanese, Devanagari and Thai are drawn with their letters on a quote and an invoice',
    standard: 'a document must name its customer legibly; Unicode scripts',
    async check({ json }) {
      const names: string[] = json('names.json')
      const app = await startApp()
      for (const name of names) {
        const acme = await app.world.organization({ name })
        const of = { company: 'entity_global', currency: 'USD' }
        const quote = await sentQuote(acme, { ...of, line_items: [{ ...LICENSE_LINE, product_name: name }] })
        const line_items = [{ product_name: name, quantity: 1, unit_price: '10.00' }]
        const invoice = (await acme.staff.post('/invoices', { ...of, line_items })).data.id
        for (const path of [`/quotes/${quote}/pdf`, `/invoices/${invoice}/pdf`]) {
          const { status, raw } = await acme.staff.get(path)
          expect([path, status]).toEqual([path, 200])
          const pages = textOn(raw.rawPayload).join('')
          expect(pages).not.toMatch(/[\u25a1\ufffd]/)
          // One by one, since the glyphs of Devanagari are in another order than its characters.
          expect(Array.from(name).filter((character) => !pages.includes(character))).toEqual([])
        }
      }
      await app.close()
    },
  },
]
