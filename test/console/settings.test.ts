// What the console knows of settings by their names is what the service declares.
import { expect, it } from 'vitest'
import type { TSchema } from 'typebox'
import { declarationOf, SETTING_NAMES } from '#ports/company-settings.ts'
import { CHOICES, OF_FINANCE } from '../../apps/console/src/routes/settings/known-settings.ts'

const sorted = (values: Iterable<string>): string[] => [...values].toSorted()

/** Of a choice, or of a list of choices; none of texts and numbers. */
function valuesOf(schema: TSchema): readonly string[] | undefined {
  const { items, enum: values } = schema as { items?: TSchema; enum?: string[] }
  return values ?? (items && valuesOf(items))
}

it('finance may change the settings that need finances', () => {
  expect(sorted(OF_FINANCE)).toEqual(sorted(SETTING_NAMES.filter((name) => declarationOf(name).needs === 'finances')))
})

it('a setting with some values alone offers all of them', () => {
  const declared = SETTING_NAMES.flatMap((name) => {
    const values = valuesOf(declarationOf(name).schema)
    return values ? [[name, sorted(values)]] : []
  })
  const offered = Object.entries(CHOICES).map(([name, values]) => [name, sorted(values)])
  expect(Object.fromEntries(offered)).toEqual(Object.fromEntries(declared))
})
