// What the console offers as an export is what the service can export, to those who may read it.
import { expect, it } from 'vitest'
import { exportSources } from '#modules/operations/exports/export-source.ts'
import { EXPORT_SCOPES, exportName } from '../../apps/console/src/resources/export-sources.ts'
import { texts as en } from '../../apps/console/src/texts/en.ts'
import { texts as portuguese } from '../../apps/console/src/texts/pt-br.ts'
import { routes } from '../../src/modules.ts'

/** The sealed logs are asked for with what they are of, which no list has. */
const sources = exportSources(routes).filter(({ name }) => name !== 'audit-log/sealed')

const sorted = (all: readonly (readonly [string, readonly string[]])[]) =>
  Object.fromEntries(all.map(([name, needs]) => [name, needs.toSorted()]))

it('each source is offered to whoever may read it', () => {
  const offered = Object.entries(EXPORT_SCOPES).map(([name, scopes]) => [name, scopes.map((one) => `${one}:read`)])
  const read = sources.map(({ name, permissions }) => [name, permissions({})])
  expect(sorted(offered as [string, string[]][])).toEqual(sorted(read as [string, string[]][]))
})

it.each([
  ['en', en],
  ['pt-BR', portuguese],
] as const)('each has a name of its own in %s', (language, texts) => {
  const names = sources.map(({ name }) => exportName(name, { texts, language }))
  expect(names.filter((name) => /^[a-z/-]+$/.test(name))).toEqual([])
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
