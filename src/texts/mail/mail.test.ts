// Every mail in every language: complete, escaped, and with its link as given.

import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../language.ts'
import { CONTENTS, LINK, NAME } from '#test/scenes/mail-contents.ts'
import type { MailKind } from './content.ts'
import { brandNamed } from '#test/scenes/brand.ts'
import { renderMail } from './mail.ts'

const brand = { ...brandNamed('Ação & Cia'), timeZone: 'America/Sao_Paulo' }
const ESCAPED_NAME = 'Zoë &quot;Z&quot; &lt;b&gt;O&#39;Neil&lt;/b&gt; &amp; 👩‍💻 مرحبا'

/** Texts that the mail must have besides name and link. */
const FACTS: Partial<Record<MailKind, string[]>> = {
  'email-change': ['new@example.com'],
  'email-change-requested': ['new@example.com'],
  'email-changed': ['new@example.com'],
  'api-key-expiring': ['ERP “q”', 'x7Qa', 'Ana', '2026'],
  'vendor-key-changed': ['ERP “q”', 'orders:read, tickets:write', 'Ana', '2026'],
  'vendor-key-expiring': ['ERP “q”', 'x7Qa', 'Ana', '2026'],
  invite: ['Ana'],
  'invite-accepted': ['Rui', 'r@example.com'],
  'membership-expiring': ['Rui', '2026'],
  'quote-sent': ['QUO-202611-00042', 'QUO-202611-00041'],
  'quote-accepted': ['QUO-202611-00042'],
  'payment-received': ['INV-1'],
  'entitlement-expiring': ['Plug-in', 'PLG-2026110001'],
  'license-expiring': ['Plug-in', 'PLG-2026110001'],
  'maintenance-scheduled': ['Campus', '2026', 'Database update'],
  'maintenance-changed': ['Campus', 'Database update'],
  'maintenance-cancelled': ['Campus'],
  'service-delivered': ['Migration', 'All courses'],
  'quote-fulfilled': ['QUO-202611-00042', 'PLG-202611-00001', 'HST-202611-00002'],
  'tax-invoice-issued': ['1042', 'BR-000042', 'KEY-OF-50'],
  'ticket-opened': ['SR-20260042', 'It is slow', 'Rui'],
  'ticket-commented': ['SR-20260042', 'It is slow', 'Rui'],
  'ticket-satisfaction': ['SR-20260042', 'It is slow'],
  'ticket-moved': ['SR-20260042', 'It is slow', 'Rui'],
  'ticket-answer-refused': ['SR-20260042', 'It is slow'],
}

const CASES = LANGUAGES.flatMap((language) =>
  Object.values(CONTENTS).map((content) => [language, content.kind, content] as const),
)

describe.each(CASES)('%s %s', (language, kind, content) => {
  const mail = renderMail(language, content, brand)

  it('is complete in both parts', () => {
    for (const part of [mail.subject, mail.text, mail.html]) {
      expect(part.trim()).not.toBe('')
      expect(part).not.toMatch(/undefined|null|NaN|\[object|<%|%>|\$\{/)
    }
    expect(mail.subject).not.toMatch(/[\r\n]/)
    expect(mail.html).toMatch(new RegExp(`^<!doctype html>\\n<html lang="${language}"`))
    for (const fact of FACTS[kind] ?? []) {
      expect(mail.text).toContain(fact)
      expect(mail.html).toContain(fact)
    }
  })

  it('has the name unchanged in the text and escaped in the HTML', () => {
    const named = !(kind === 'set-password')
    expect(mail.text.includes(NAME)).toBe(named)
    expect(mail.html.includes(ESCAPED_NAME)).toBe(named)
    expect(mail.html).not.toContain('<b>')
    expect(mail.html).toContain('Ação &amp; Cia')
  })

  it('has its exact link, and no other', () => {
    const links = Array.from(mail.html.matchAll(/(?:href|src)="([^"]*)"/g), ([, link = '']) =>
      link.replaceAll('&amp;', '&'),
    )
    const expected = 'link' in content && content.link !== null ? [LINK] : []
    expect(new Set(links)).toEqual(new Set(expected))
    expect(Array.from(mail.text.matchAll(/https?:\S+/g), ([link]) => link)).toEqual(expected)
    expect(mail.html).not.toMatch(/<img|url\(|@import/)
  })
})

describe('renderMail', () => {
  const quote = { ...CONTENTS['quote-sent'], organizationName: 'Acme' }

  it('uses the language of the recipient', () => {
    const [portuguese, english] = LANGUAGES.map((language) => renderMail(language, quote, brand))
    expect(portuguese?.subject).toBe('Orçamento QUO-202611-00042 de Ação & Cia: R$\u00a012.345.678.901.234.567,89')
    expect(portuguese?.text).toContain('Válido até: 1 de dezembro de 2026')
    expect(english?.subject).toBe('Quote QUO-202611-00042 from Ação & Cia: R$12,345,678,901,234,567.89')
    expect(english?.text).toContain('Valid until: December 1, 2026')
  })

  it('has times in the time zone of the brand', () => {
    expect(renderMail('pt-BR', CONTENTS.invite, brand).text).toMatch(/27 de novembro de 2026 às 09:00/)
  })

  it('names no inviter if there is none', () => {
    const mail = renderMail('en', { ...CONTENTS.invite, inviterName: null }, brand)
    expect(mail.text).toContain(`You are invited to work with ${NAME}`)
  })

  it('has no button without a link', () => {
    const mail = renderMail('en', { ...quote, link: null, validUntil: null }, brand)
    expect(mail.html).not.toContain('href')
    expect(mail.text).not.toMatch(/View quote|Valid until/)
  })

  it('removes line breaks and changes of the reading direction from names', () => {
    const name = 'Eve\r\nBcc: x@example.org\u2028\u202egnp.exe\u2069'
    const mail = renderMail('en', { ...CONTENTS.invite, organizationName: name }, brand)
    expect(mail.subject).toBe('You are invited to Eve Bcc: x@example.org gnp.exe on Ação & Cia')
    expect(mail.text + mail.html).not.toMatch(/[\r\u2028\u202e\u2069]/)
  })

  it('keeps a subject short without breaking a character', () => {
    const mail = renderMail('en', { ...CONTENTS.invite, organizationName: '👩‍💻'.repeat(300) }, brand)
    expect(mail.subject).toMatch(/^You are invited to (👩‍💻)+…$/u)
  })

  it.each(['javascript:alert(1)', 'https://a.example/"onclick', '/relative', ''])('rejects the link %j', (link) => {
    expect(() => renderMail('en', { ...CONTENTS['verify-account'], link }, brand)).toThrow(TypeError)
  })

  it('rejects an amount that is not a decimal', () => {
    expect(() => renderMail('en', { ...quote, total: '1e3' }, brand)).toThrow(TypeError)
  })
})

describe('the brand of a mail', () => {
  const content = CONTENTS['verify-account']
  const branded = renderMail('en', content, {
    ...brand,
    color: '#ffee00',
    logo: 'https://api.example/brand/logo?company=entity_br',
    supportUrl: 'mailto:help@vendor.example',
  })

  it('shows the logo by its address, and the name in its place', () => {
    expect(branded.html).toContain('src="https://api.example/brand/logo?company=entity_br" alt="Ação &amp; Cia"')
    expect(renderMail('en', content, brand).html).not.toContain('<img')
  })
  it('has the color on the button, with a text that can be read on it', () => {
    expect(branded.html).toMatch(/background:#ffee00[^>]*><a href="[^"]*" style="[^"]*;color:#000000;/)
  })
  it('leads to the support in both parts, and nowhere without', () => {
    expect(branded.html).toContain('<a class="soft" href="mailto:help@vendor.example"')
    expect(branded.text).toContain('\nHelp and support: mailto:help@vendor.example')
    expect(renderMail('en', content, brand).text).not.toContain('support:')
  })
})
