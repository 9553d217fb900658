// No text has words of the other language: in the catalogue, in every mail, on every page, in every PDF.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/modules.ts'
import type { PageContext } from '../../src/pages/document.ts'
import { textsIn } from '#texts/catalogue.ts'
import { type Language, LANGUAGES } from '#texts/language.ts'
import type { MailContent, Voice } from '#texts/mail/content.ts'
import { renderMail } from '#texts/mail/mail.ts'
import { roles } from '#texts/roles.ts'
import { ticketPriorities, ticketStatuses } from '#texts/tickets.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { foreignWordsIn, fragmentsOf, other, slot, textsBelow, wordsOf } from '#test/harness/languages.ts'
import { CONTENTS } from '#test/scenes/mail-contents.ts'
import { textOn } from '#test/harness/pdf-text.ts'
import { createRecords, type Records } from '#test/scenes/records.ts'
import { shownQuote } from '#test/scenes/shown-quote.ts'
import type { Organization } from '#test/harness/world.ts'
import { brandNamed } from '#test/scenes/brand.ts'

const root = join(import.meta.dirname, '../..')

/** Texts that are the same in both languages. None of them may have a verb. */
const SAME = new Set([
  'Total',
  'Subtotal',
  'Normal',
  'Item',
  'E-mail',
  '1 min',
  'Auditor',
  'Pix',
  'Boleto',
  'Cheque',
  'Console',
])

const isSaidAlike = (one: string, another: string): boolean =>
  wordsOf(one) === wordsOf(another) && fragmentsOf(one).some((words) => !SAME.has(words))

type Bilingual = { from: string; texts: Record<Language, unknown> }

const isBilingual = (value: unknown): value is Record<Language, unknown> =>
  typeof value === 'object' && value !== null && LANGUAGES.every((language) => Object.hasOwn(value, language))

/** The catalogue, and everything that other modules declare in both languages. */
async function everythingSaid(): Promise<Bilingual[]> {
  const files = globSync(['src/texts/**/*.ts', 'src/adapters/**/texts.ts'], { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts'),
  )
  const exported = files.map(async (file) =>
    Object.values<unknown>(await import(join(root, file))).flatMap((texts) =>
      isBilingual(texts) ? [{ from: file, texts }] : [],
    ),
  )
  const catalogue = { 'pt-BR': plain('pt-BR'), en: plain('en') }
  return [{ from: 'the catalogue', texts: catalogue }, ...(await Promise.all(exported)).flat()]
}

/** The texts of mails need facts; they are tested below. */
const plain = (language: Language) => {
  const { documents, pages, notices, mails } = textsIn(language)
  const { linkFallback, footer, unsubscribe } = mails
  return { documents, pages, notices, mails: { linkFallback, footer, unsubscribe } }
}

const VOICE: Voice = {
  brand: slot('brand'),
  date: () => slot('date'),
  month: () => slot('month'),
  time: () => slot('time'),
  money: () => slot('money'),
}

/** Facts that are names from the catalogue; all of them are tested. */
const NAMES: Record<string, string[]> = {
  role: Object.keys(roles.en),
  priority: Object.keys(ticketPriorities.en),
  from: Object.keys(ticketStatuses.en),
  to: Object.keys(ticketStatuses.en),
}

function asSlots(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one: object) => asSlots(key, one))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, asSlots(inner, one)]))
  return typeof value === 'string' && key !== 'kind' && !NAMES[key] ? slot(key) : value
}

function othersFor(key: string, value: unknown): unknown[] {
  if (key === 'kind') return []
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return [1, 2]
  return NAMES[key] ?? [null]
}

/** Slots for the facts, in all variants: missing facts, one or many, every name. */
function variantsOf(content: MailContent): MailContent[] {
  const open = asSlots('', content) as object
  const changed = Object.entries(content).flatMap(([key, value]) =>
    othersFor(key, value).map((one) => ({ ...open, [key]: one })),
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- facts of the same kind with other values
  return [open, ...changed] as MailContent[]
}

/** All texts of a mail by path. A variant without a required fact throws. */
function mailTexts(language: Language, content: MailContent): [path: string, text: string][] {
  const say = textsIn(language).mails.kinds[content.kind]
  try {
    return textsBelow(Reflect.apply(say, undefined, [content, VOICE]))
  } catch (error) {
    if (error instanceof TypeError) return []
    throw error
  }
}

const MAILS = Object.values(CONTENTS).flatMap((content) =>
  variantsOf(content).map((variant, index) => [`${content.kind} ${index}`, variant] as const),
)

/** Sentences and labels that only one of the languages has. */
let said: Record<Language, Set<string>>
beforeAll(async () => {
  const all = await everythingSaid()
  const of = (language: Language) => {
    const texts = all.flatMap(({ texts: both }) => textsBelow(both[language]).map(([, text]) => text))
    const mails = MAILS.flatMap(([, content]) => mailTexts(language, content).map(([, text]) => text))
    return new Set([...texts, ...mails].flatMap(fragmentsOf))
  }
  const [portuguese, english] = [of('pt-BR'), of('en')]
  const both = portuguese.intersection(english)
  said = { 'pt-BR': portuguese.difference(both), en: english.difference(both) }
})

/** Small words and sentences of the other language. (A single word may be a name.) */
function strangeIn(language: Language, text: string): string[] {
  const sentences = [...said[other(language)]].filter((one) => one.includes(' ') && text.includes(one))
  return [...sentences, ...foreignWordsIn(language, text)]
}

describe('the catalogue', () => {
  it('has no text that is the same in both languages', async () => {
    const all = await everythingSaid()
    expect(all.length).toBeGreaterThan(4)
    const alike = all.flatMap(({ from, texts }) => {
      const english = new Map(textsBelow(texts.en))
      return textsBelow(texts['pt-BR']).flatMap(([path, text]) => {
        expect(english.has(path), `${from} ${path}`).toBe(true)
        return isSaidAlike(text, english.get(path) ?? '') ? [`${from} ${path}: ${text}`] : []
      })
    })
    expect(alike).toEqual([])
  })
  it('has no word of the other language in any text', async () => {
    const strange = (await everythingSaid()).flatMap(({ from, texts }) =>
      LANGUAGES.flatMap((language) =>
        textsBelow(texts[language]).flatMap(([path, text]) => {
          const words = foreignWordsIn(language, text)
          return words.length > 0 ? [`${from} ${language} ${path}: ${text} (${words.join()})`] : []
        }),
      ),
    )
    expect(strange).toEqual([])
  })
})

describe('every mail, in every variant', () => {
  it('has no text that is the same in both languages', () => {
    const alike = MAILS.flatMap(([name, content]) => {
      const english = mailTexts('en', content)
      return mailTexts('pt-BR', content).flatMap(([path, text], index) => {
        return isSaidAlike(text, english[index]?.[1] ?? '') ? [`${name} ${path}: ${text}`] : []
      })
    })
    expect(alike).toEqual([])
  })
  it.each(LANGUAGES)('%s: no word and no sentence of the other language', (language) => {
    const strange = MAILS.flatMap(([name, content]) => {
      const texts = mailTexts(language, content)
      return texts.flatMap(([path, text]) =>
        strangeIn(language, text).map((words) => `${name} ${path}: ${text} (${words})`),
      )
    })
    expect(strange).toEqual([])
    expect(MAILS.filter(([, content]) => mailTexts(language, content).length > 0).length).toBeGreaterThan(100)
  })
  it.each(LANGUAGES)('%s: nor in what the layout makes of it', (language) => {
    const brand = { ...brandNamed('Zebra'), supportUrl: 'https://zebra.example', timeZone: 'America/Sao_Paulo' }
    const names = { name: 'Zoë', organizationName: 'Zebra', memberName: 'Rui', authorName: 'Rui', inviterName: 'Rui' }
    const texts = { title: 'Zebra', note: 'Zebra', text: 'Zebra', serviceName: 'Zebra', link: 'https://zebra.example/' }
    const own = (content: MailContent) => ({
      ...content,
      ...Object.fromEntries(Object.entries({ ...names, ...texts }).filter(([key]) => Object.hasOwn(content, key))),
    })
    const strange = Object.values(CONTENTS).flatMap((content) => {
      const { subject, text, html } = renderMail(language, own(content), brand)
      return [subject, text, visible(html)].flatMap((part) =>
        strangeIn(language, part).map((words) => `${content.kind}: ${words}`),
      )
    })
    expect(strange).toEqual([])
  })
})

/** The text of a page without styles, markup and scripts, but with the texts for the scripts. */
const visible = (html: string): string =>
  html
    .replaceAll(/<style[^]*?<\/style>|<script type="module"[^]*?<\/script>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/"[a-zA-Z]+":/g, ' ')

const LATER = '2026-12-01T12:00:00.000Z'
const SHOWN_INVOICE = {
  number: 'ZB-1',
  status: 'open',
  company: 'entity_br',
  seller: 'Zebra',
  customer: 'Zebra',
  total: '150.00',
  amount_due: '100.00',
  amount_paid: '50.00',
  currency: 'BRL',
  due_date: '2026-12-01',
  paid_at: null,
  options: {
    page: { url: 'https://zebra.example' },
    pix: { copy_code: 'Z', expires_at: LATER },
    boleto: { line: '1', pdf_url: 'https://zebra.example', expires_at: LATER },
    bank_transfer: { details: [], reference: 'ZB-1' },
  },
}

describe('every page', () => {
  const mail = {
    name: 'z.eml',
    from: 'z@zebra.example',
    to: 'y@zebra.example',
    subject: 'Zebra',
    text: '',
    html: '',
    attachments: ['zebra.pdf'],
  }
  const arguments_: Record<string, unknown> = {
    startPage: { mail: true },
    referencePage: [
      { name: 'Zebra', description: 'Zebra', operations: [{ method: 'GET', path: '/zebra', summary: 'Zebra' }] },
    ],
    consolePage: { html: '<html><!-- DEMO --></html>', demo: { password: '', people: [] } },
    ...Object.fromEntries(
      [
        'verifyAccountPage',
        'resetPasswordPage',
        'undoEmailChangePage',
        'endSessionsPage',
        'invitesPage',
        'ssoPage',
      ].map((name) => [name, { portalUrl: 'https://zebra.example' }]),
    ),
    unsubscribePage: { token: 'z', notice: { name: 'Zebra', organization_name: 'Zebra', mail: true } },
    confirmContactPage: {
      token: 'z',
      contact: { organization_name: 'Zebra', roles: ['billing'], is_confirmed: false },
    },
    noContactPage: 'NOT_FOUND',
    quotePage: { token: 'z', quote: shownQuote('Zebra'), timeZone: 'UTC', refused: null },
    noQuotePage: 'NOT_FOUND',
    invoicePage: { token: 'z', invoice: SHOWN_INVOICE, timeZone: 'UTC' },
    noInvoicePage: 'NOT_FOUND',
    mailListPage: [{ ...mail, date: '2026-11-20T12:00:00.000Z' }],
    mailPage: { ...mail, date: '2026-11-20T12:00:00.000Z' },
  }
  it.each(LANGUAGES)('%s: no word and no sentence of the other language', async (language) => {
    // The page of errors is part of the reference, which is English.
    const files = globSync('src/pages/*.ts', { cwd: root }).filter((file) => !/\.test\.ts$|\/errors\.ts$/.test(file))
    const context: PageContext = {
      language,
      nonce: 'n0nce',
      brand: { ...brandNamed('Zebra'), supportUrl: 'https://zebra.example' },
    }
    const strange: string[] = []
    const rendered: string[] = []
    for (const file of files) {
      const pages = Object.entries<unknown>(await import(join(root, file))).filter(([name]) => name.endsWith('Page'))
      for (const [name, page] of pages) {
        if (typeof page !== 'function') continue
        const html = String(Reflect.apply(page, undefined, [context, arguments_[name]]))
        rendered.push(name)
        strange.push(...strangeIn(language, visible(html)).map((words) => `${name}: ${words}`))
      }
    }
    expect(strange).toEqual([])
    expect(rendered.length).toBeGreaterThan(6)
  })
})

describe('every PDF', () => {
  let app: TestApp
  let acme: Organization
  let records: Records
  beforeAll(async () => {
    app = await startApp()
    acme = await app.world.organization()
    records = await createRecords(app, acme)
  })
  afterAll(() => app.close())

  const tokenFor = async (path: string): Promise<string> => {
    if (!path.includes('invoices')) return String(records['public'])
    const { data } = await acme.owner.get(`/invoices/${records['invoices']}/payment-options`)
    return data.url.split('/').at(-1)
  }
  // A tax invoice is a Brazilian document, which by law is in Portuguese.
  const pdfRoutes = routes.filter(
    ({ features: { file }, path }) => file?.produces.join() === 'application/pdf' && !path.includes('tax-invoices'),
  )
  const cases = LANGUAGES.flatMap((language) => pdfRoutes.map(({ path }) => [language, path] as const))

  it.each(cases)('%s %s: no word and no sentence of the other language', async (language, path) => {
    const [, area = ''] = path.split('/')
    const query = area === 'account-statement' ? '?company=entity_br&currency=BRL' : ''
    const record = path.replace(/\{\w+\}/, area === 'public' ? await tokenFor(path) : String(records[area]))
    const answer = await acme.owner.get(record + query, { 'accept-language': language })
    expect(answer.status, path).toBe(200)
    const pages = textOn(answer.raw.rawPayload)
    const lines = pages.flatMap((page) => page.split('\n'))
    expect(lines.length).toBeGreaterThan(5)
    const labels = lines.filter((line) => said[other(language)].has(line.replace(/:$/, '')))
    expect([...labels, ...strangeIn(language, pages.join('\n'))]).toEqual([])
    const own = lines.filter((line) => said[language].has(line.replace(/:$/, '')))
    expect(own.length).toBeGreaterThan(2)
  })
})
