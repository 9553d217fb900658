// Answers have the fields that their schema lists, whatever the records have.
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { Closed, Nullable } from '#kernel/values/schema.ts'
import { PageEnvelope, SuccessEnvelope, pageMeta, success } from './envelope.ts'
import { serializerOf } from './serialize.ts'

const Line = Type.Object({ name: Type.String(), price: Type.Optional(Type.String()) })
const Item = Type.Object({
  id: Type.Integer(),
  name: Nullable(Type.String()),
  kind: Type.Enum(['a', 'b']),
  at: Type.String({ format: 'date-time' }),
  tags: Type.Array(Type.String()),
  lines: Type.Array(Line),
  owner: Nullable(Closed({ id: Type.Integer() })),
  details: Type.Object({}, { additionalProperties: true }),
  before: Type.Unsafe({ type: ['object', 'null'], additionalProperties: true }),
  note: Type.Optional(Type.String()),
})
const item = {
  id: 1,
  name: null,
  kind: 'a',
  at: '2026-11-20T14:42:55.123Z',
  tags: ['x', 'é"\u2028'],
  lines: [{ name: 'one', price: '1.00' }, { name: 'two' }],
  owner: { id: 2 },
  details: { b: 1, a: { c: [2] } },
  before: { anything: true },
  note: 'n',
}
const serialize = serializerOf(Item)

describe('an answer', () => {
  it('that fits its schema is written as it is', () => {
    expect(serialize(item)).toBe(JSON.stringify(item))
    expect(serialize({ ...item, owner: null, before: null, lines: [] })).toBe(
      JSON.stringify({ ...item, owner: null, before: null, lines: [] }),
    )
  })
  it('has no field that its schema does not list, at any depth', () => {
    const more = {
      secret: 's',
      ...item,
      lines: [{ name: 'one', price: '1.00', secret: 's' }, { name: 'two' }],
      owner: { secret: 's', id: 2 },
      last: 's',
    }
    expect(serialize(more)).toBe(JSON.stringify(item))
    expect(serialize(Object.assign(Object.create({ secret: 's' }), item))).toBe(JSON.stringify(item))
    const page = { ...success([more], null, pageMeta({}, 1)), secret: 's' }
    const { secret: _, ...expected } = { ...page, data: [item] }
    expect(serializerOf(PageEnvelope(Item))(page)).toBe(JSON.stringify(expected))
    expect(serializerOf(SuccessEnvelope(Item))(success(more))).toBe(JSON.stringify(success(item)))
  })
  it('has its fields in the order of the schema', () => {
    const turned = Object.fromEntries(Object.entries({ ...item, owner: { id: 2 } }).toReversed())
    expect(serialize(turned)).toBe(JSON.stringify(item))
  })
  it('may lack optional fields, and no others', () => {
    const { note: _note, ...without } = item
    expect(serialize(without)).toBe(JSON.stringify(without))
    expect(serialize({ ...item, note: undefined })).toBe(JSON.stringify(without))
    const { kind: _kind, ...lacking } = item
    expect(() => serialize(lacking)).toThrow('the answer lacks kind')
  })
  it('never has fields where its schema has a text, a number or a list of these', () => {
    for (const wrong of [
      { name: { secret: 's' } },
      { id: ['s'] },
      { tags: [{ secret: 's' }] },
      { tags: { secret: 's' } },
    ])
      expect(() => serialize({ ...item, ...wrong })).toThrow('the answer has fields where its schema has none')
  })
  it('is one thing, null, or what comes instead of it: the preview of a dry run, the challenge of a sign-in', () => {
    const Preview = Type.Object({
      is_complete: Type.Boolean(),
      records: Type.Array(Type.Object({ id: Type.Integer() })),
    })
    const either = serializerOf(Type.Union([Type.Object({ id: Type.Integer() }), Preview]))
    expect(either({ id: 1, secret: 's' })).toBe('{"id":1}')
    expect(either({ is_complete: true, records: [{ id: 2, secret: 's' }] })).toBe(
      '{"is_complete":true,"records":[{"id":2}]}',
    )
    expect(serializerOf(Type.Union([Type.Null(), Preview]))(null)).toBe('null')

    const Challenge = Type.Object({ second_factor_required: Type.Boolean(), challenge: Type.String() })
    const tokens = serializerOf(Type.Union([Type.Object({ id: Type.Integer() }), Challenge]))
    expect(tokens({ id: 1, challenge: 'c' })).toBe('{"id":1}')
    expect(tokens({ second_factor_required: true, challenge: 'c', id: 1 })).toBe(
      '{"second_factor_required":true,"challenge":"c"}',
    )

    const Either = Type.Union([Type.Object({ id: Type.Integer() }), Type.Object({ name: Type.String() }), Type.Null()])
    expect(() => serializerOf(Either)).toThrow('cannot be one of several things')
  })
  it('has times as text', () => {
    expect(serialize({ ...item, at: new Date(item.at) })).toBe(JSON.stringify(item))
  })
})
