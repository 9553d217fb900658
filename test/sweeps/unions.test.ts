// A value that may be of several kinds: what is wrong with it is said of the kind that was sent. Derived from all
// bodies and queries, and from the lines of imports.
import { describe, expect, it } from 'vitest'
import type { TSchema } from 'typebox'
import { routes } from '../../src/modules.ts'
import { IMPORT_KINDS } from '#modules/integrations/imports/import-kinds.ts'
import { compileCheck } from '#kernel/values/validation/validation.ts'
import { sentenceFor } from '#kernel/values/validation/sentences.ts'
import { hasTranslation } from '#texts/answers/sentences.ts'
import { Closed } from '#kernel/values/schema.ts'
import { key } from './sweep.ts'

type Shape = TSchema & { anyOf?: Shape[]; type?: string | string[] }

function unionsIn(schema: unknown, at: string): [string, Shape][] {
  if (typeof schema !== 'object' || schema === null) return []
  const below = Object.entries(schema).flatMap(([name, one]) =>
    name === 'examples' ? [] : unionsIn(one, `${at} ${name}`),
  )
  return isUnion(schema) ? [[at, schema], ...below] : below
}
const isUnion = (schema: object): schema is Shape => 'anyOf' in schema

const UNIONS = [
  ...routes.flatMap((route) => [route.body, route.query].flatMap((schema) => unionsIn(schema, key(route)))),
  ...Object.entries(IMPORT_KINDS).flatMap(([kind, { fields }]) => unionsIn(fields, `import of ${kind}`)),
]

/** A value of each kind that a schema may still refuse. */
const VALUES: Readonly<Record<string, unknown>> = {
  string: '\n',
  integer: -1,
  boolean: true,
  null: null,
  array: [{ no: 'such member' }],
  object: { 'no such member': 1 },
}
const typesOf = ({ anyOf = [] }: Shape) => [...new Set(anyOf.flatMap(({ type }) => type ?? []))]

describe('a union', () => {
  it('stands in invoices, in bodies and in imports', () =>
    expect(UNIONS.map(([at]) => at)).toEqual(
      expect.arrayContaining(['POST /invoices properties total', 'import of invoices total']),
    ))
  it.each(UNIONS)('%s', (_at, union) => {
    const check = compileCheck(Closed({ field: union }))
    const types = typesOf(union)
    expect(types.length).toBeGreaterThan(1)
    for (const [type, value] of Object.entries(VALUES)) {
      const problems = Object.entries(check({ field: value }) ?? {}).flatMap(([name, one]) =>
        name === 'field' ? [one] : [],
      )
      const aboutTypes = problems.filter((problem) =>
        /^must be (a text|a whole number|true or false|null|a list|an object)\b/.test(problem),
      )
      expect(problems.filter((problem) => !hasTranslation(problem))).toEqual([])
      if (types.includes(type)) expect(aboutTypes, type).toEqual([])
      else expect(aboutTypes, type).toEqual([sentenceFor('type', { type: types }, [])])
    }
  })
})
