// The text of a statement is built once per shape. Statements that differ in more than values never share a text.
import { describe, expect, it } from 'vitest'
import { join, prepare, raw, sql, when } from './sql.ts'

const byStatus = (id: number, status: string | null) =>
  sql`select a from t where id = ${id} ${when(status, (one) => sql`and status = ${one}`)} limit ${1}`

const two = (one: string, other: string) => prepare(sql`select ${raw(one)}${raw(other)}`).text
const parts = (count: number) => Array.from({ length: count }, (_, index) => sql`${index}`)

describe('prepare', () => {
  it('numbers the values of nested statements in the order of the text', () => {
    expect(prepare(byStatus(7, 'open'))).toMatchObject({
      text: 'select a from t where id = $1 and status = $2 limit $3',
      values: [7, 'open', 1],
    })
  })
  it('gives the same name and other values to the same text', () => {
    const first = prepare(byStatus(7, 'open'))
    const second = prepare(byStatus(8, 'paid'))
    expect(second).toEqual({ name: first.name, text: first.text, values: [8, 'paid', 1] })
  })
  it('gives another name where a part is missing', () => {
    expect(prepare(byStatus(7, null)).text).toBe('select a from t where id = $1  limit $2')
    expect(prepare(byStatus(7, null)).name).not.toBe(prepare(byStatus(7, 'open')).name)
  })
  it('gives the same name to the same text of different templates', () => {
    expect(prepare(sql`select 1 as same`).name).toBe(prepare(sql`select 1 as same`).name)
  })
  it('distinguishes raw texts, whatever they contain', () => {
    expect(two('a', 'b')).toBe('select ab')
    expect(two('a', 'c')).toBe('select ac')
    expect(two('r1:a', '')).toBe('select r1:a')
    expect(two('', 'r1:a')).toBe('select r1:a')
    expect(two('$', '')).toBe('select $')
    expect(prepare(sql`select ${raw('$')}`).text).not.toBe(prepare(sql`select ${'$'}`).text)
  })
  it('joins with the given separator, any number of times', () => {
    expect(prepare(join(parts(3), ', ')).text).toBe('$1, $2, $3')
    expect(prepare(join(parts(2), ' and ')).text).toBe('$1 and $2')
    expect(prepare(join(parts(2), ', ')).text).toBe('$1, $2')
    expect(prepare(join([], ', ')).text).toBe('')
    expect(prepare(join(parts(3), ', ')).name).toBe(prepare(join(parts(3), ', ')).name)
  })
})
