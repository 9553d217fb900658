// What a keyword of a schema asks for, in sentences for people: the library's own speak of schemas.
import { Month, Percent } from '#kernel/values/schema.ts'
import { MAX_METADATA_BYTES } from './formats.ts'

const patternOf = (schema: object): string => (schema as { pattern: string }).pattern

/** The library's parameter of the keyword stands between braces. */
const SENTENCES: Readonly<Record<string, string>> = {
  enum: 'must be one of {allowedValues}',
  minLength: 'must have at least {limit} characters',
  maxLength: 'must have at most {limit} characters',
  minItems: 'must have at least {limit} items',
  maxItems: 'must have at most {limit} items',
  minProperties: 'must have at least {limit} members',
  maxProperties: 'must have at most {limit} members',
  uniqueItems: 'must not have the same item twice',
  minimum: 'must be at least {limit}',
  maximum: 'must be at most {limit}',
  exclusiveMinimum: 'must be more than {limit}',
  exclusiveMaximum: 'must be less than {limit}',
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  date: 'must be a date such as 2026-12-31',
  'date-time': 'must be a time such as 2026-11-20T14:42:55.123Z',
  email: 'must be an e-mail address',
  uri: 'must be an address such as https://acme.example',
  currency: 'is not a currency in use (ISO 4217)',
  'time-zone': 'must be a time zone such as America/Sao_Paulo',
  'visible-text': 'must not be blank, nor hold invisible characters or marks that turn its direction',
  // Their patterns have bounds, which an example does not tell.
  [patternOf(Percent)]: 'must be a percentage from 0 to 100, with two digits after the point at most',
  [patternOf(Month)]: 'must be a month from 1950-01 to 2199-12',
  pattern: 'must not be blank, nor have characters that are not allowed here',
  json: `must be a JSON text of at most ${MAX_METADATA_BYTES / 1024} KiB`,
}
const nameOf = (type: unknown): string => SENTENCES[String(type)] ?? String(type)
const OTHERWISE = 'does not have an allowed form'

/** `examples`: shown instead of a pattern that has no sentence, since people cannot read it. */
export function sentenceFor(keyword: string, params: Record<string, unknown>, examples: readonly unknown[]): string {
  const own = SENTENCES[[params['format'], params['pattern'], keyword].find((one) => typeof one === 'string') ?? '']
  if (keyword === 'pattern' && !own && examples.length > 0) return `must have the form of ${examples.join(' or ')}`
  if (keyword === 'type') return `must be ${[params['type']].flat().map(nameOf).join(' or ')}`
  if (params['limit'] === 1 && /^min[LIP]/.test(keyword)) return 'must not be empty'
  const sentence = own ?? SENTENCES[keyword] ?? OTHERWISE
  return sentence.replace(/\{(\w+)\}/, (_, name: string) => [params[name]].flat().join(', '))
}
