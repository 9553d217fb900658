// Every mail in every language: complete, escaped, and with its link as given.

import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../language.ts'
import type { MailContent, MailKind } from './content.ts'
import { renderMail } from './mail.ts'

const brand = { name: 'Ação & Cia', timeZone: 'America/Sao_Paulo' }
const NAME = 'Zoë "Z" <b>O\'Neil</b> & 👩‍💻 مرحبا'
const ESCAPED_NAME = 'Zoë &quot;Z&quot; &lt;b&gt;O&#39;Neil&lt;/b&gt; &amp; 👩‍💻 مرحبا'
const LINK = 'https://titular.example.com/go?email=zo%C3%AB%40example.com&token=a-b_c~d'
const LATER = '2026-11-27T12:00:00Z'
const ABOUT = { organizationName: NAME, number: 'SR-20260042', title: 'It is slow', link: LINK }
const SUM = { total: '12345678901234567.89', currency: 'BRL' }

const EXPIRING = {
  organizationName: NAME,
  name: 'Plug-in',
  code: 'PLG-2026110001',
  expiresAt: LATER,
  daysLeft: 7,
  link: LINK,
}

const MAINTENANCE = {
  organizationName: NAME,
  environmentName: 'Campus',
  startsAt: LATER,
  endsAt: '2026-11-27T14:00:00Z',
  note: 'Database update',
  link: LINK,
}

const CONTENTS: { [Kind in MailKind]: MailContent<Kind> } = {
  'verify-account': { kind: 'verify-account', name: NAME, link: LINK, expiresAt: LATER },
  'set-password': { kind: 'set-password', link: LINK, expiresAt: LATER },
  'reset-password': { kind: 'reset-password', name: NAME, link: LINK, expiresAt: LATER },
  'email-change': { kind: 'email-change', name: NAME, newEmail: 'new@example.com', link: LINK, expiresAt: LATER },
  'email-change-requested': {
    kind: 'email-change-requested',
    name: NAME,
    newEmail: 'new@example.com',
    link: LINK,
    expiresAt: LATER,
  },
  'email-changed': { kind: 'email-changed', name: NAME, newEmail: 'new@example.com', link: LINK, expiresAt: LATER },
  'password-changed': { kind: 'password-changed', name: NAME, changedAt: LATER },
  invite: { kind: 'invite', organizationName: NAME, inviterName: 'Ana', role: 'admin', link: LINK, expiresAt: LATER },
  'invite-accepted': {
    kind: 'invite-accepted',
    organizationName: NAME,
    memberName: 'Rui',
    memberEmail: 'r@example.com',
    link: LINK,
  },
  'quote-sent': {
    kind: 'quote-sent',
    organizationName: NAME,
    number: 'QUO-202611-00042',
    replaces: 'QUO-202611-00041',
    ...SUM,
    validUntil: '2026-12-01',
    link: LINK,
  },
  'quote-expiring': {
    kind: 'quote-expiring',
    organizationName: NAME,
    number: 'QUO-202611-00042',
    ...SUM,
    validUntil: '2026-12-01',
    link: LINK,
  },
  'contract-ending': {
    kind: 'contract-ending',
    organizationName: NAME,
    title: 'Maintenance',
    endDate: '2026-12-31',
    link: LINK,
  },
  'contract-notice': {
    kind: 'contract-notice',
    organizationName: NAME,
    title: 'Maintenance',
    endDate: '2026-12-31',
    link: LINK,
  },
  'refund-succeeded': {
    kind: 'refund-succeeded',
    organizationName: NAME,
    number: 'BR-000042',
    creditNoteNumber: 'BRC-000007',
    ...SUM,
    link: LINK,
  },
  'invoice-open': {
    kind: 'invoice-open',
    organizationName: NAME,
    number: 'BR-000042',
    ...SUM,
    dueDate: '2026-12-01',
    link: LINK,
  },
  'quote-accepted': { kind: 'quote-accepted', organizationName: NAME, number: 'QUO-202611-00042', ...SUM, link: LINK },
  'payment-received': {
    kind: 'payment-received',
    organizationName: NAME,
    number: 'INV-1',
    ...SUM,
    paidAt: LATER,
    link: LINK,
  },
  'quote-fulfilled': {
    kind: 'quote-fulfilled',
    organizationName: NAME,
    number: 'QUO-202611-00042',
    provisioned: [
      { name: 'Plug-in <Pro>', entitlementCode: 'PLG-202611-00001' },
      { name: 'Hosting', entitlementCode: 'HST-202611-00002' },
    ],
    link: LINK,
  },
  'entitlement-expiring': { kind: 'entitlement-expiring', ...EXPIRING },
  'license-expiring': { kind: 'license-expiring', ...EXPIRING },
  'maintenance-scheduled': { kind: 'maintenance-scheduled', ...MAINTENANCE },
  'maintenance-changed': { kind: 'maintenance-changed', ...MAINTENANCE },
  'maintenance-cancelled': { kind: 'maintenance-cancelled', ...MAINTENANCE },
  'service-delivered': {
    kind: 'service-delivered',
    organizationName: NAME,
    serviceName: 'Migration',
    note: 'All courses are in the new campus.',
    link: LINK,
  },
  'tax-invoice-issued': {
    kind: 'tax-invoice-issued',
    organizationName: NAME,
    number: '1042',
    invoiceNumber: 'BR-000042',
    accessKey: 'KEY-OF-50',
    issuedAt: LATER,
    ...SUM,
    link: LINK,
  },
  'ticket-opened': { kind: 'ticket-opened', ...ABOUT, authorName: 'Rui', priority: 'high', text: 'Since <noon>' },
  'ticket-commented': { kind: 'ticket-commented', ...ABOUT, authorName: 'Rui', text: 'Done & dusted', internal: true },
  'ticket-moved': { kind: 'ticket-moved', ...ABOUT, authorName: 'Rui', from: 'open', to: 'in_progress', text: null },
}

/** What must be found in the mail beside name and link. */
const FACTS: Partial<Record<MailKind, string[]>> = {
  'email-change': ['new@example.com'],
  'email-change-requested': ['new@example.com'],
  'email-changed': ['new@example.com'],
  invite: ['Ana'],
  'invite-accepted': ['Rui', 'r@example.com'],
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
  'ticket-moved': ['SR-20260042', 'It is slow', 'Rui'],
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

  it('has the name whole in the text and escaped in the HTML', () => {
    const named = !(kind === 'set-password')
    expect(mail.text.includes(NAME)).toBe(named)
    expect(mail.html.includes(ESCAPED_NAME)).toBe(named)
    expect(mail.html).not.toContain('<b>')
    expect(mail.html).toContain('Ação &amp; Cia')
  })

  it('has its link, exactly, and no other', () => {
    const links = Array.from(mail.html.matchAll(/(?:href|src)="([^"]*)"/g), ([, link = '']) =>
      link.replaceAll('&amp;', '&'),
    )
    expect(new Set(links)).toEqual(new Set('link' in content ? [LINK] : []))
    expect(Array.from(mail.text.matchAll(/https?:\S+/g), ([link]) => link)).toEqual('link' in content ? [LINK] : [])
    expect(mail.html).not.toMatch(/<img|url\(|@import/)
  })
})

describe('renderMail', () => {
  const quote = { ...CONTENTS['quote-sent'], organizationName: 'Acme' }

  it('speaks the language of its reader', () => {
    const [portuguese, english] = LANGUAGES.map((language) => renderMail(language, quote, brand))
    expect(portuguese?.subject).toBe('Orçamento QUO-202611-00042 de Ação & Cia: R$\u00a012.345.678.901.234.567,89')
    expect(portuguese?.text).toContain('Válido até: 1 de dezembro de 2026')
    expect(english?.subject).toBe('Quote QUO-202611-00042 from Ação & Cia: R$12,345,678,901,234,567.89')
    expect(english?.text).toContain('Valid until: December 1, 2026')
  })

  it('tells times in the zone of the brand', () => {
    expect(renderMail('pt-BR', CONTENTS.invite, brand).text).toMatch(/27 de novembro de 2026 às 09:00/)
  })

  it('names no inviter where there is none', () => {
    const mail = renderMail('en', { ...CONTENTS.invite, inviterName: null }, brand)
    expect(mail.text).toContain(`You are invited to work with ${NAME}`)
  })

  it('has no button without a link', () => {
    const mail = renderMail('en', { ...quote, link: null, validUntil: null }, brand)
    expect(mail.html).not.toContain('href')
    expect(mail.text).not.toMatch(/View quote|Valid until/)
  })

  it('lets no line break and no turned reading direction in by a name', () => {
    const name = 'Eve\r\nBcc: x@example.org\u2028\u202egnp.exe\u2069'
    const mail = renderMail('en', { ...CONTENTS.invite, organizationName: name }, brand)
    expect(mail.subject).toBe('You are invited to Eve Bcc: x@example.org gnp.exe on Ação & Cia')
    expect(mail.text + mail.html).not.toMatch(/[\r\u2028\u202e\u2069]/)
  })

  it('keeps a subject short without breaking a character', () => {
    const mail = renderMail('en', { ...CONTENTS.invite, organizationName: '👩‍💻'.repeat(300) }, brand)
    expect(mail.subject).toMatch(/^You are invited to (👩‍💻)+…$/u)
  })

  it.each(['javascript:alert(1)', 'https://a.example/"onclick', '/relative', ''])('refuses the link %j', (link) => {
    expect(() => renderMail('en', { ...CONTENTS['verify-account'], link }, brand)).toThrow(TypeError)
  })

  it('refuses an amount that is no decimal', () => {
    expect(() => renderMail('en', { ...quote, total: '1e3' }, brand)).toThrow(TypeError)
  })
})
