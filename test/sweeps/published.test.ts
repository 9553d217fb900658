// Every table whose changes are events is published, or listed with a reason why customers do not see them; and the
// catalogue has each event that they can get, and no other.
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AREAS } from '../../src/modules.ts'
import { createCatalogue } from '#modules/messages/events/catalogue.ts'
import { ROOT } from '#test/harness/golden.ts'
import { NEVER_PUBLISHED, NEVER_VISIBLE } from '#test/harness/published-events.ts'
import { removedTables } from './tables.ts'

const published = AREAS.flatMap((area) => area.published)
const { kinds, ofStored } = createCatalogue(published)

/** The resources of all `table('quotes', 'quote', …)`, also of those that a module does not export. */
async function resourcesWithEvents(): Promise<string[]> {
  const found: string[] = []
  for await (const file of glob('src/modules/**/*.ts', { cwd: ROOT })) {
    const text = file.endsWith('.test.ts') ? '' : await readFile(join(ROOT, file), 'utf8')
    for (const [, resource = ''] of text.matchAll(/\btable\(\s*'\w+',\s*'(\w+)'/g)) found.push(resource)
  }
  return found
}

/** Where a deleted record stays in the table. */
const isMarked = (table: string): boolean => ['documents', 'organizations', 'webhook_endpoints'].includes(table)

describe('the catalogue of events', () => {
  it('has every table with events, or the reason why not', async () => {
    const resources = await resourcesWithEvents()
    expect(resources.length).toBeGreaterThan(20)
    const decided = [...published.map(({ table }) => table.resource), ...Object.keys(NEVER_PUBLISHED)]
    expect(decided.toSorted()).toEqual(resources.toSorted())
  })
  it('has each act of the tables of states, and each further event', async () => {
    const removed = await removedTables()
    const wrong = published.flatMap(({ table, events }) =>
      Object.entries(table.events).flatMap(([event, stored]) => {
        const isEmitted = event === 'deleted' ? removed.has(table.name) || isMarked(table.name) : event !== 'updated'
        const isListed = event in events
        if (stored in NEVER_VISIBLE) return isListed ? [`${stored}: listed, though never visible`] : []
        if (event === 'updated' || isListed === isEmitted) return []
        return [`${stored}: ${isListed ? 'nothing emits it' : 'has no description'}`]
      }),
    )
    expect(wrong).toEqual([])
  })
  it('gives each type one name, which Standard Webhooks allows, and a sentence', () => {
    expect(new Set(kinds.map(({ type }) => type)).size).toBe(kinds.length)
    expect(kinds.filter(({ type }) => !/^[a-z_]+\.[a-z_]+$/.test(type))).toEqual([])
    expect(kinds.filter(({ description }) => !/^[A-Z].*\.$/.test(description))).toEqual([])
    expect(ofStored.get('titular/order/on-hold')?.kind.type).toBe('order.on_hold')
  })
  it('shows no masked column', () => {
    const shown = published.flatMap(({ table, schema }) =>
      table.masked.filter((column) => column in schema.properties).map((column) => `${table.name}.${column}`),
    )
    expect(shown).toEqual([])
  })
})
