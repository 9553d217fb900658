// Fiscal profiles and paths of an operator, checked against the layout when the service starts.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EXPORTED, IMMUNE, MEI, PROFILE, REFORM, SIMPLES, WITHHELD } from '#test/scenes/nfse-fixtures.ts'
import { readPaths } from './paths.ts'
import { readProfiles } from './profiles.ts'

const read = (...profiles: object[]) => readProfiles(JSON.stringify(profiles))

describe('fiscal profiles', () => {
  it('of every kind are accepted', () => {
    for (const profile of [PROFILE, SIMPLES, MEI, WITHHELD, EXPORTED, IMMUNE, REFORM])
      expect(read(profile)).toEqual([profile])
  })
  it.each<[string, object, RegExp]>([
    ['a layout of tomorrow', { layout: '1.02' }, /^\[0\]\.layout /],
    ['a field that nobody reads', { isss: '1' }, /^\[0\].*isss/],
    ['a field inside that nobody reads', { ibs_cbs: { ...REFORM.ibs_cbs, x: 1 } }, /^\[0\]\.ibs_cbs.*x/],
    ['a code of five digits', { services: { default: { national: '10701' } } }, /^\[0\]\.services\.default\.national/],
    [
      'no code for the rest',
      { services: { PLG: { national: '010701' } } },
      /^\[0\]\.services needs the code "default"/,
    ],
    ['an unknown class', { services: { ...PROFILE.services, XYZ: { national: '010701' } } }, /^\[0\]\.services/],
    [
      'a rate of ten',
      { services: { default: { national: '010701', iss_rate: '10' } } },
      /^\[0\]\.services\.default\.iss_rate/,
    ],
    ['a number for text', { municipality: 3550308 }, /^\[0\]\.municipality/],
    ['no day', { valid_from: '2026-13-01' }, /^\[0\]\.valid_from/],
    ['ME/EPP without its regime', { simples: '3' }, /^\[0\]\.simples_regime is needed when simples "3"/],
    ['its regime without ME/EPP', { simples_regime: '1' }, /^\[0\]\.simples_regime goes only with simples "3"/],
    ['no approximate taxes', { tax_burden: undefined }, /^\[0\]\.tax_burden is needed/],
    ['an intermediary', { iss_withheld: '3' }, /^\[0\]\.iss_withheld cannot be "3"/],
    ['withheld tax that is not due', { iss: '4', iss_withheld: '2' }, /^\[0\]\.iss_withheld must be "1"/],
    ['a special regime without tax', { iss: '4', special_regime: '6' }, /^\[0\]\.special_regime/],
    ['immunity of no kind', { iss: '2' }, /^\[0\]\.immunity is needed/],
  ])('with %s are refused, the field named', (_what, more, sentence) => {
    expect(() => read({ ...PROFILE, ...more })).toThrow(sentence)
  })
  it('are valid in the example of the documentation', async () => {
    const text = await readFile(join(import.meta.dirname, '../../../docs/tax-invoices.md'), 'utf8')
    const [, example = ''] = /```json\n(.*?)```/s.exec(text) ?? []
    expect(readProfiles(example)).toHaveLength(1)
  })
  it('must be a list with a day each', () => {
    for (const text of ['', '{}', '[]', 'null', '[', '"x"'])
      expect(() => readProfiles(text), text).toThrow(/must be a list/)
    expect(() => read(PROFILE, { ...PROFILE, layout: '2.00', valid_from: '2030-01-01' })).toThrow(/^\[1\]\.layout/)
    expect(() => read(PROFILE, MEI)).toThrow('[1].valid_from is the day of another profile')
    expect(() => readProfiles('[null]')).toThrow(/^\[0\]/)
  })
})

describe('paths', () => {
  it('replace those of the national system by name', () => {
    expect(readPaths(['issue=/emitir', 'declaration=/rps/{id}/nota'])).toEqual({
      issue: '/emitir',
      declaration: '/rps/{id}/nota',
    })
    for (const wrong of [
      'issue',
      'issue=nfse',
      'other=/x',
      'declaration=/dps',
      'issue=/nfse/{id}',
      'invoice=/x/{key}/{key}',
      'issue=/x?y',
    ])
      expect(() => readPaths([wrong]), wrong).toThrow(/^must/)
  })
})
