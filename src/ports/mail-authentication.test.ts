// Which results of the receiving server say that a mail is from the domain of its sender (RFC 8601).
import { describe, expect, it } from 'vitest'
import { isAuthenticated } from './mail-authentication.ts'

const MX = 'mx.vendor.example'
const from = 'ana@mail.acme.example'
const says = (...fields: string[]) => isAuthenticated(fields, MX, from)

describe('isAuthenticated', () => {
  it.each([
    'mx.vendor.example; dmarc=pass (p=REJECT sp=none) header.from=mail.acme.example',
    'MX.vendor.example 1; spf=fail smtp.mailfrom=a@other.example; dmarc = pass header.from=acme.example',
    'mx.vendor.example; dkim=pass header.d=acme.example header.s=s1; spf=softfail',
    'mx.vendor.example; dkim=fail header.d=acme.example; dkim=pass header.i=@mail.acme.example',
    'mx.vendor.example; spf=pass (a (nested) comment; dkim=fail) smtp.mailfrom="bounce@acme.example"',
    'mx.vendor.example; spf=fail smtp.mailfrom="x (y"@evil.example; dkim=pass header.d="acme.example"',
  ])('true: %s', (field) => {
    expect(says(field)).toBe(true)
  })
  it.each([
    'mx.vendor.example; none',
    'mx.vendor.example; dmarc=fail header.from=mail.acme.example',
    'mx.vendor.example; dmarc=pass header.from=other.example',
    'mx.vendor.example; dmarc=pass',
    'mx.vendor.example; dkim=pass header.d=evil.example; spf=pass smtp.mailfrom=eve@evil.example',
    'mx.vendor.example; dkim=pass header.d=example',
    'mx.vendor.example; dkim=pass header.d=l.acme.example',
    'mx.vendor.example; spf=none (dkim=pass header.d=acme.example; dmarc=pass header.from=acme.example)',
    'mx.vendor.example; dmarc=passed header.from=acme.example',
    'other.example; dmarc=pass header.from=mail.acme.example',
    // The envelope's address is the sender's own choice.
    'mx.vendor.example; spf=fail smtp.mailfrom="x; dmarc=pass header.from=acme.example; y"@evil.example',
    'mx.vendor.example; spf=fail smtp.mailfrom="x\\"; dmarc=pass header.from=acme.example; y"@evil.example',
    'mx.vendor.example; spf=pass (of "x) ; dmarc=pass header.from=acme.example (y"@evil.example) smtp.mailfrom=evil.example',
    'mx.vendor.example; spf=pass smtp.mailfrom="a@acme.example"@evil.example; dkim="; dmarc=pass header.from=acme.example',
    'mx.vendor.example; spf=pass smtp.mailfrom="acme.example"@evil.example',
    'mx.vendor.example; spf=pass smtp.mailfrom="a@acme.example"@evil.example',
    'mx.vendor.example; dkim=pass header.i="a@acme.example"@evil.example',
    'mx.vendor.example; spf=pass (of "(" ) ; dmarc=pass header.from=acme.example ) smtp.mailfrom=evil.example',
    'mx.vendor.example; spf=pass (of \\") ; dmarc=pass header.from=acme.example (y\\"@evil.example)',
    'mx.vendor.example.evil.example; dmarc=pass header.from=mail.acme.example',
  ])('false: %s', (field) => {
    expect(says(field)).toBe(false)
  })
  it('hears the topmost field of the server only, since whoever writes to it may add others below', () => {
    const good = 'mx.vendor.example; dmarc=pass header.from=mail.acme.example'
    expect(says('mx.vendor.example; dmarc=fail header.from=mail.acme.example', good)).toBe(false)
    expect(says('relay.example; dmarc=fail', good)).toBe(true)
    expect(says()).toBe(false)
  })
})
