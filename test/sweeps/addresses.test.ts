// Addresses in bodies, queries and lines of imports: those of mail keep one rule, and international domains are kept in
// ASCII.
import { describe, expect, it } from 'vitest'
import { routes } from '../../src/modules.ts'
import { IMPORT_KINDS } from '#modules/integrations/imports/import-kinds.ts'
import { asciiAddressesIn } from '#kernel/values/validation/ascii-addresses.ts'
import { compileCheck } from '#kernel/values/validation/validation.ts'
import { Closed } from '#kernel/values/schema.ts'
import { key } from './sweep.ts'

type Shape = {
  format?: string
  type?: string | string[]
  items?: Shape
  properties?: Record<string, Shape>
  anyOf?: Shape[]
}

function namedIn({ properties = {}, items, anyOf = [] }: Shape, at: string): { at: string; shape: Shape }[] {
  return [
    ...Object.entries(properties).flatMap(([name, shape]) => [
      { at: `${at} ${name}`, shape },
      ...namedIn(shape, `${at} ${name}`),
    ]),
    ...(items ? namedIn(items, `${at} 0`) : []),
    ...anyOf.flatMap((one) => namedIn(one, at)),
  ]
}
const isText = ({ type }: Shape) => [type].flat().includes('string')
const FIELDS = [
  ...routes.flatMap((route) =>
    [route.body, route.query].flatMap((schema) => (schema ? namedIn(schema, key(route)) : [])),
  ),
  ...Object.entries(IMPORT_KINDS).flatMap(([kind, { fields }]) => namedIn({ properties: fields }, `import of ${kind}`)),
].filter(({ shape }) => isText(shape))

const ofFormat = (format: string) => FIELDS.filter(({ shape }) => shape.format === format)

/** By schema alone: rules of routes have more to say. */
const taken = (shape: object, field: string) => {
  const schema = Closed({ field: shape as never })
  const value = asciiAddressesIn<{ field: string }>(schema)({ field })
  return compileCheck(schema)(value) === null ? value.field : null
}

describe('a field that is called an address', () => {
  it('has the format of one', () => {
    const misnamed = FIELDS.filter(({ at, shape }) => {
      const name = at.split(' ').at(-1) ?? ''
      // It may be empty; its declaration knows addresses (settings.test.ts).
      if (name === 'support_email') return false
      if (/(^|_)e?mail$/.test(name)) return shape.format !== 'email'
      // It may be the address of a mail instead, or empty.
      if (name === 'support_url') return false
      return /(^|_)(url|website|avatar|issuer)$/.test(name) && shape.format !== 'uri'
    })
    expect(misnamed.map(({ at }) => at)).toEqual([])
  })
})

describe('a mail address', () => {
  it('stands in many places', () => expect(ofFormat('email').length).toBeGreaterThan(15))
  it.each(ofFormat('email'))('$at', ({ shape }) => {
    expect(taken(shape, 'ana@açaí.com.br')).toBe('ana@xn--aa-4iaz.com.br')
    for (const wrong of ['ana@[192.0.2.1]', `${'a'.repeat(65)}@acme.example`, '"ana"@acme.example'])
      expect(taken(shape, wrong), wrong).toBeNull()
  })
})

describe('a web address', () => {
  it('stands in many places', () => expect(ofFormat('uri').length).toBeGreaterThan(8))
  it.each(ofFormat('uri'))('$at', ({ shape }) => {
    expect(taken(shape, 'https://açaí.com.br/x')).toBe('https://xn--aa-4iaz.com.br/x')
    expect(taken(shape, 'https://aç aí.com.br/x')).toBeNull()
  })
})
