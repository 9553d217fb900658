import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalDomain, isFree } from './license-domain.ts'

describe('canonicalDomain', () => {
  it.each([
    ['shop.acme.example', 'shop.acme.example'],
    ['  Shop.ACME.example. ', 'shop.acme.example'],
    ['https://shop.acme.example:8443/path?q=1#top', 'shop.acme.example'],
    ['//shop.acme.example', 'shop.acme.example'],
    ['shop.acme.example:80', 'shop.acme.example'],
    ['shop.acme.example/path:80/@x', 'shop.acme.example'],
    ['shop.acme.example?x=1', 'shop.acme.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['bu\u0308cher.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['shop。acme。example', 'shop.acme.example'],
    ['www.acme.example', 'acme.example'],
    ['WWW.www.acme.example.', 'acme.example'],
    ['www.com', 'www.com'],
    ['www', 'www'],
    ['wwwacme.example', 'wwwacme.example'],
    ['localhost:3000', 'localhost'],
    ['intranet', 'intranet'],
  ])('%j is %j', (text, domain) => expect(canonicalDomain(text)).toBe(domain))

  it.each([
    '',
    ' ',
    '.',
    '..',
    'a..b',
    '-a.example',
    'a-.example',
    '*.acme.example',
    'a_b.example',
    'exa mple.com',
    'a\tb.com',
    'https://',
    'http:///path',
    'acme.example:99999',
    'acme.example:port',
    'good.example@evil.example',
    'a%2eb.example',
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '::1',
    'mailto:a',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}aa`,
  ])('%j names no host', (text) => expect(canonicalDomain(text)).toBeNull())

  it('is idempotent for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.webUrl(), fc.domain()), (text) => {
        const domain = canonicalDomain(text)
        return domain === null || canonicalDomain(domain) === domain
      }),
    )
    expect(canonicalDomain(canonicalDomain('www.Bücher.example') ?? '')).toBe('xn--bcher-kva.example')
  })
})

const staging = (...urls: string[]) => urls.map((url) => ({ url, production: false }))

describe('isFree', () => {
  it.each(['localhost', 'acme.test', 'shop.local', 'nas.lan'])('takes %s, which no public name server has', (domain) =>
    expect(isFree(domain, [])).toBe(true),
  )
  it('accepts the URLs of environments in any spelling', () => {
    expect(isFree('staging.acme.example', staging('https://www.Staging.acme.example:8080/x'))).toBe(true)
    expect(isFree('acme.example', staging('https://staging.acme.example', 'nonsense of@somebody'))).toBe(false)
  })
})
