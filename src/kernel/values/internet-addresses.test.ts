import { describe, expect, it } from 'vitest'
import { asciiMailAddress, asciiUrl, isMailAddress } from './internet-addresses.ts'

describe('isMailAddress', () => {
  it.each([
    `${'a'.repeat(64)}@acme.example`,
    "o'neil+x@acme.example",
    'ana@localhost',
    'ana@xn--aa-4iaz.com.br',
    'a@4u.example',
  ])('takes %s', (text) => expect(isMailAddress(text)).toBe(true))
  it.each([
    'ana@[192.0.2.1]',
    'ana@[IPv6:2001:db8::1]',
    'ana@192.0.2.1',
    'ana@1',
    `${'a'.repeat(65)}@acme.example`,
    `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(10)}`,
    '"ana"@acme.example',
    '"a@b"@acme.example',
    'ana@açaí.com.br',
    'josé@acme.example',
    'ana@acme.example\n',
    'ana<x@acme.example',
    'ana@acme.example, bob@acme.example',
    'ana@',
    '@acme.example',
  ])('refuses %s', (text) => expect(isMailAddress(text)).toBe(false))
})

describe('asciiMailAddress', () => {
  it.each([
    ['Ana@açaí.com.br', 'Ana@xn--aa-4iaz.com.br'],
    ['ana@AC\u0327AÍ.com。br', 'ana@xn--aa-4iaz.com.br'],
    ['Ana@ACME.example', 'Ana@ACME.example'],
    ['josé@acme.example', 'josé@acme.example'],
    ['josé', 'josé'],
    ['ana@a℀b.example', 'ana@a℀b.example'],
    [`ana@${'ç'.repeat(2000)}`, `ana@${'ç'.repeat(2000)}`],
  ])('%s is %s', (text, ascii) => expect(asciiMailAddress(text)).toBe(ascii))
})

describe('asciiUrl', () => {
  it.each([
    ['https://açaí.com.br', 'https://xn--aa-4iaz.com.br'],
    ['https://açaí.com.br/', 'https://xn--aa-4iaz.com.br/'],
    ['http://AÇAÍ.com.br:8080/loja?q=é#a', 'http://xn--aa-4iaz.com.br:8080/loja?q=%C3%A9#a'],
    ['https://acme.example/é', 'https://acme.example/%C3%A9'],
    ['https://ACME.example', 'https://ACME.example'],
    ['https://açaí.com.br\\evil.example', 'https://açaí.com.br\\evil.example'],
    ['https://aç aí.com.br', 'https://aç aí.com.br'],
    ['https://aç\u200baí.com.br', 'https://aç\u200baí.com.br'],
    ['ftp://açaí.com.br', 'ftp://açaí.com.br'],
    ['https://a℀b.example', 'https://a℀b.example'],
  ])('%s is %s', (text, ascii) => expect(asciiUrl(text)).toBe(ascii))
})
