// The pages: complete documents, escaped, fit for a strict policy, and with the elements that their scripts need.

import { Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../texts/language.ts'
import { shownQuote } from '#test/scenes/shown-quote.ts'
import { contentSecurityPolicy, page, type PageContext } from './document.ts'
import { unbuiltConsolePage } from './console.ts'
import { endSessionsPage } from './end-sessions.ts'
import { invitesPage } from './invites.ts'
import { noQuotePage, quotePage, type ShownQuote } from './quote.ts'
import { mailListPage, mailPage } from './mail.ts'
import { resetPasswordPage } from './reset-password.ts'
import { notFoundPage, startPage } from './start.ts'
import { ssoPage } from './sso.ts'
import { undoEmailChangePage } from './undo-email-change.ts'
import { confirmContactPage, noContactPage, type ShownContact } from './confirm-contact.ts'
import { noSubscriptionPage, unsubscribePage } from './unsubscribe.ts'
import { verifyAccountPage } from './verify-account.ts'
import { brandNamed } from '#test/scenes/brand.ts'

const EVIL = `"><script>alert(1)</script>'&</title></style>`
const ESCAPED = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;&lt;/title&gt;&lt;/style&gt;'
const mail = {
  name: '20261120T120000123Z-000001-00000000.eml',
  from: `a@example.com ${EVIL}`,
  to: `b@example.com ${EVIL}`,
  subject: `Olá ${EVIL}`,
  date: '2026-11-20T12:00:00.000Z',
  text: `see https://example.com/go?a=1&b=2 or javascript:alert(1) ${EVIL}`,
  attachments: [`Fatura ${EVIL}.pdf`],
  replyTo: `support+${EVIL}@example.com`,
  html: `<!doctype html><p class="x">Olá & 'bye'</p><script>alert(1)</script>`,
}

const quote = shownQuote(EVIL)
const accepted: ShownQuote = {
  ...quote,
  status: 'accepted',
  can_accept: false,
  answered_by: EVIL,
  accepted_at: '2026-11-20T12:00:00.000Z',
}
const contact: ShownContact = { organization_name: EVIL, roles: ['billing', 'legal'], is_confirmed: false }
const notice = { name: EVIL, organization_name: EVIL, has_inbox: true }

const TO = { portalUrl: '/app' }

const PAGES: Record<string, (context: PageContext) => string> = {
  start: (context) => startPage(context, { mail: true }),
  'console that is not built': unbuiltConsolePage,
  'not found': notFoundPage,
  'verify-account': (context) => verifyAccountPage(context, TO),
  'reset-password': (context) => resetPasswordPage(context, TO),
  'undo-email-change': (context) => undoEmailChangePage(context, TO),
  'end-sessions': (context) => endSessionsPage(context, TO),
  invites: (context) => invitesPage(context, TO),
  sso: (context) => ssoPage(context, TO),
  quote: (context) => quotePage(context, { token: 't', quote, timeZone: 'UTC', refused: null }),
  'accepted quote': (context) => quotePage(context, { token: 't', quote: accepted, timeZone: 'UTC', refused: null }),
  'no quote': (context) => noQuotePage(context, 'NOT_FOUND'),
  unsubscribe: (context) => unsubscribePage(context, { token: EVIL, notice: { ...notice, mail: true } }),
  'unsubscribe a contact': (context) =>
    unsubscribePage(context, { token: EVIL, notice: { ...notice, mail: true, has_inbox: false } }),
  unsubscribed: (context) => unsubscribePage(context, { token: EVIL, notice: { ...notice, mail: false } }),
  'bad link to unsubscribe': (context) => noSubscriptionPage(context, 'NOT_FOUND'),
  'confirm a contact': (context) => confirmContactPage(context, { token: EVIL, contact }),
  'confirmed contact': (context) =>
    confirmContactPage(context, { token: EVIL, contact: { ...contact, is_confirmed: true } }),
  'bad link to confirm': (context) => noContactPage(context, 'NOT_FOUND'),
  'mail list': (context) => mailListPage(context, [mail]),
  'empty mail list': (context) => mailListPage(context, []),
  mail: (context) => mailPage(context, mail),
}

const CASES = LANGUAGES.flatMap((language) =>
  Object.entries(PAGES).map(([name, render]) => [language, name, render] as const),
)

function matches(html: string, pattern: RegExp): string[] {
  return Array.from(html.matchAll(pattern), ([, found = '']) => found)
}

function unescaped(html: string): string {
  const signs: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
  return html.replace(/&(?:lt|gt|quot|#39|amp);/g, (sign) => signs[sign] ?? sign)
}

describe.each(CASES)('%s %s', (language, _name, render) => {
  const html = render({ language, nonce: 'n0nce', brand: brandNamed(EVIL) })
  // The content of a mail's frame has its own tests below.
  const outer = html.replace(/ srcdoc="[^"]*"/, '')

  it('is a complete document in its language', () => {
    expect(html).toMatch(new RegExp(`^<!doctype html>\\n<html lang="${language}">`))
    expect(html.trimEnd()).toMatch(/<\/html>$/)
    expect(matches(outer, /(<h1)/g).length).toBeGreaterThan(0)
    expect(outer).not.toMatch(/undefined|\[object|<%|%>/)
  })

  it('escapes the vendor’s name', () => {
    expect(outer).toContain(ESCAPED)
    expect(outer).not.toContain(EVIL)
    expect(outer).not.toContain('<script>')
  })

  it('has no script or style without the nonce, and loads nothing from other hosts', () => {
    for (const tag of matches(outer, /(<(?:script|style)[^>]*>)/g)) {
      expect(tag).toMatch(/ nonce="n0nce"|type="application\/json"/)
    }
    expect(outer).not.toMatch(/\s(?:on\w+|style)=/)
    const addresses = matches(outer.replace(/<pre[^]*<\/pre>/, ''), /(?:href|src|action)="([^"]*)"/g)
    for (const address of addresses) expect(address).toMatch(/^(\/(?!\/)|data:,$)/)
    expect(outer).not.toMatch(/@import|url\(/)
  })

  it('labels every field', () => {
    const labels = matches(outer, /<label for="([^"]+)"/g)
    expect(matches(outer, /<(?:input|textarea) id="([^"]+)"/g).toSorted()).toEqual(labels.toSorted())
    expect(outer).not.toMatch(/<input(?! id)/)
    const ids = matches(outer, /\sid="([^"]+)"/g)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('has scripts that parse, and the elements that they look for', () => {
    const [code] = matches(outer, /<script type="module"[^>]*>([^]*?)<\/script>/g)
    if (code === undefined) return
    expect(code).not.toMatch(/^(import|export) /m)
    expect(() => new Script(`(async () => {${code}})`)).not.toThrow()
    const ids = matches(outer, /\sid="([^"]+)"/g)
    expect(ids).toEqual(expect.arrayContaining(matches(code, /(?:byId|show|fill)\('([\w-]+)'/g)))
    const [json = ''] = matches(outer, /id="page-data">([^]*?)<\/script>/g)
    const data: Record<string, Record<string, unknown>> = JSON.parse(json)
    for (const [, group = '', text = ''] of code.matchAll(/\bdata\.(\w+)\.(\w+)/g))
      expect(data[group]).toHaveProperty(text)
    for (const text of matches(code, /\btexts\.(\w+)/g)) expect(data['sso'] ?? data['invites']).toHaveProperty(text)
  })
})

describe('pages with forms', () => {
  it('are exactly the pages with a script', () => {
    const context = { language: 'en', nonce: 'n', brand: brandNamed('Titular') } as const
    const scripted = Object.entries(PAGES).filter(([, render]) => render(context).includes('<script type="module"'))
    expect(scripted.map(([name]) => name)).toEqual([
      'verify-account',
      'reset-password',
      'undo-email-change',
      'end-sessions',
      'invites',
      'sso',
      'mail list',
      'empty mail list',
      'mail',
    ])
  })
})

const acceptedPart = (html: string): string => matches(html, /(<section id="accepted"[^]*?<\/section>)/g)[0] ?? ''

describe('GET /invites', () => {
  const context = { nonce: 'n', brand: brandNamed('Titular') } as const

  it.each([
    ['en', 'Continue'],
    ['pt-BR', 'Continuar'],
  ] as const)('%s: leads on to the console once the invite is accepted, and not before', (language, text) => {
    const html = invitesPage({ ...context, language }, { portalUrl: 'https://portal.example.com/app' })
    expect(acceptedPart(html)).toContain(`<a class="button" href="https://portal.example.com/app">${text}</a>`)
    expect(html.replace(acceptedPart(html), '')).not.toContain('portal.example.com')
  })
})

describe('GET /mail/{name}', () => {
  const html = mailPage({ language: 'en', nonce: 'n', brand: brandNamed('Titular') }, mail)

  it('shows the complete HTML, in a frame that runs no scripts', () => {
    const [sandbox] = matches(html, /sandbox="([^"]*)"/g)
    expect(sandbox).toBe('allow-popups allow-popups-to-escape-sandbox')
    expect(matches(html, /srcdoc="([^"]*)"/g).map(unescaped)).toEqual([`<base target="_blank">${mail.html}`])
  })

  it('makes links of the http URLs of the text only', () => {
    const [text = ''] = matches(html, /<pre[^>]*>([^]*)<\/pre>/g)
    expect(matches(text, /href="([^"]*)"/g)).toEqual(['https://example.com/go?a=1&amp;b=2'])
    expect(unescaped(text.replace(/<\/?a[^>]*>/g, ''))).toBe(mail.text)
  })

  it('shows no frame for a mail without HTML', () => {
    expect(mailPage({ language: 'en', nonce: 'n', brand: brandNamed('Titular') }, { ...mail, html: '' })).not.toContain(
      '<iframe',
    )
  })
})

describe('GET /', () => {
  it('links to /mail only when the sandbox keeps mails', () => {
    const context = { language: 'en', nonce: 'n', brand: brandNamed('Titular') } as const
    const links = ['/docs', '/healthz', '/.well-known/jwks.json']
    for (const link of links) expect(startPage(context, { mail: false })).toContain(`href="${link}"`)
    expect(startPage(context, { mail: false })).not.toContain('href="/mail"')
    expect(startPage(context, { mail: true })).toContain('href="/mail"')
  })
})

describe('page', () => {
  it('gives its scripts data that cannot end their element', () => {
    const context = { language: 'en', nonce: 'n', brand: brandNamed('Titular') } as const
    const html = page(context, { title: '', body: '', scripts: ['times'], data: { evil: EVIL } })
    const [json = ''] = matches(html, /id="page-data">([^]*?)<\/script>/g)
    expect(JSON.parse(json)).toMatchObject({ language: 'en', evil: EVIL })
  })
})

describe('the brand', () => {
  const brand = {
    ...brandNamed(EVIL),
    color: '#ffee00',
    logo: 'data:image/png;base64,AAAA',
    supportUrl: 'https://help.example/?a=1&b=2',
  }
  const html = startPage({ language: 'en', nonce: 'n', brand }, { mail: false })

  it('has its logo in place of its name, which the logo says', () => {
    expect(html).toContain(`<img src="data:image/png;base64,AAAA" alt="${ESCAPED}">`)
    expect(html).not.toContain('<bdi>')
  })
  it('has the support link at its foot, and none without', () => {
    expect(html).toContain('<a href="https://help.example/?a=1&amp;b=2" rel="noreferrer">Help and support</a>')
    const none = startPage({ language: 'en', nonce: 'n', brand: { ...brand, supportUrl: null } }, { mail: false })
    expect(none).not.toContain('<footer>')
  })
  it('has its color on buttons, with shades of it that can be read', () => {
    expect(html).toContain(':root{--accent:#7a7200;--button:#ffee00;--strong:#fff126;--on-button:#000000}')
  })
})

describe('contentSecurityPolicy', () => {
  it('allows only scripts and styles with the nonce', () => {
    const policy = contentSecurityPolicy('abc')
    expect(policy).toContain("default-src 'none'; script-src 'nonce-abc'; style-src 'nonce-abc'")
    expect(policy).not.toContain('unsafe')
  })

  it('allows the styles of a mail, but no script', () => {
    expect(contentSecurityPolicy('abc', 'mail')).toContain("script-src 'nonce-abc'; style-src 'unsafe-inline'")
  })
})
