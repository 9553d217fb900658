// Problems of fields stand at the field that they belong to, by its label and counted from 1.
import { expect, it } from 'vitest'
import { placed, saidOf } from '../../apps/console/src/parts/place-problems.ts'

const LABELS: Readonly<Record<string, string>> = { month: 'Month', line_items: 'Lines', quantity: 'Quantity' }
const says = { labelOf: (name: string) => LABELS[name] ?? name, valueOf: (number: number) => `Value ${number}` }
const besideOf = (path: string, ...fields: string[]) => placed({ [path]: 'is wrong' }, fields, says)

it.each([
  ['quantity', 'quantity', 'is wrong'],
  ['line_items.0.quantity', 'quantity', 'is wrong'],
  ['allowed_ips.0', 'allowed_ips', 'Value 1: is wrong'],
  ['rates.1.month', 'rates', 'Value 2, Month: is wrong'],
  ['schedule.reminder_days.0', 'reminder_days', 'Value 1: is wrong'],
  ['schedule.ends.after_days', 'ends_after_days', 'is wrong'],
])('%s stands at %s', (path, field, said) =>
  expect(besideOf(path, 'name', field)).toEqual({ beside: { [field]: said }, others: [] }),
)

it('several problems of one field stand there together', () => {
  const problems = { 'rates.0.month': 'is wrong', 'rates.2.month': 'is required' }
  expect(placed(problems, ['rates'], says).beside).toEqual({
    rates: 'Value 1, Month: is wrong; Value 3, Month: is required',
  })
})

it('what belongs to no field is named by its labels', () => {
  expect(besideOf('line_items.0.quantity', 'name')).toEqual({
    beside: {},
    others: [['line_items.0.quantity', 'is wrong']],
  })
  expect(saidOf('line_items.0.quantity', 'is wrong', says)).toBe('Lines, Value 1, Quantity: is wrong')
  expect(saidOf('', 'is wrong', says)).toBe('is wrong')
})
