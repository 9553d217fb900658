// Every act that the logs can hold, and every kind of record, has a name: those of the tables, and what the service
// writes into its own log.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { releaseMoves } from '#modules/delivery/downloads/release.ts'
import { SECURITY_NOTICES } from '#texts/mail/content.ts'
import { acts, kinds } from '../../apps/console/src/texts/en/acts.ts'
import { records } from '../../apps/console/src/texts/en/names.ts'

const ROOT = join(import.meta.dirname, '../..')
const sources = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

type Declared = { resource: string; events: object }
const isTable = (value: unknown): value is Declared =>
  typeof value === 'object' && value !== null && 'resource' in value && 'events' in value && 'columns' in value

async function tables(): Promise<Declared[]> {
  const declaring = sources.filter(({ text }) => /\btable\(/.test(text))
  const modules: object[] = await Promise.all(declaring.map(({ path }) => import(join(ROOT, path))))
  return modules.flatMap((one) => Object.values(one).filter(isTable))
}

/** What writes into the service's own log; `action` is the name of what they are given. */
const WRITERS = ['record', 'notify', 'note', 'audit', 'entry', 'serviceEntry', 'serviceChange', 'organizationEntry']
const WRITTEN = new RegExp(`\\b(?:${WRITERS.join('|')})\\((?:[^()'{]|\\([^()']*\\))*'([a-z_]+)'`, 'g')
const NAMED = /\baction\b[^\n({]*?(?:=|:)([^\n]*'[a-z_]+'[^\n]*)/g
const OF_LOG =
  /\b(?:serviceEntry|serviceChange|organizationEntry|account-log|security-notices|request-organization-erasure)\b/
const RESOURCE = /(?:\bresource: |\bnote\(ctx, '\w+', )'([a-z_]+)'/g

const ofLog = sources.filter(({ path, text }) => OF_LOG.test(text) && !path.startsWith('src/texts/'))

function writtenActs(): string[] {
  const said = ofLog.flatMap(({ text }) => [
    ...[...text.matchAll(WRITTEN)].map(([, act = '']) => act),
    ...[...text.matchAll(NAMED)].flatMap(([, line = '']) =>
      [...line.matchAll(/'([a-z_]+)'/g)].map(([, act = '']) => act),
    ),
  ])
  return [...said, ...SECURITY_NOTICES, ...Object.values(releaseMoves).map(({ event }) => event)]
}

it('every act of a log has a name, and no other', async () => {
  const ofTables = (await tables()).flatMap(({ events }) => Object.keys(events))
  const named = Object.keys(acts).toSorted()
  expect(named).toEqual([...new Set([...ofTables, ...writtenActs()])].toSorted())
})

it('every kind of record of a log has a name, and no other', async () => {
  const ofLogs = ofLog.flatMap(({ text }) => [...text.matchAll(RESOURCE)].map(([, resource = '']) => resource))
  const ofTables = (await tables()).map(({ resource }) => resource)
  const unnamed = [...new Set([...ofTables, ...ofLogs])].filter((kind) => !(kind in records))
  expect(Object.keys(kinds).toSorted()).toEqual(unnamed.toSorted())
})
