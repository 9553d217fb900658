// A consumer of an event that nothing emits would silently do nothing: the event of each consumer is compared with the
// writes of the code, read from its syntax, and its job with the declared jobs.
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import { consumers, jobs } from '../../src/modules.ts'
import type { Move } from '#kernel/data/moves.ts'
import type { Table } from '#kernel/data/table.ts'
import { areaExports } from './area-exports.ts'
import { ROOT } from '#test/harness/golden.ts'

let tables: Map<string, Table>
let moves: Map<string, Record<string, Move>>
let emitted: Set<string>

beforeAll(async () => {
  const exported = await areaExports()
  tables = new Map(exported.flatMap(({ name, value }) => (isTable(value) ? [[name, value] as const] : [])))
  moves = new Map(exported.flatMap(({ name, value }) => (isMoves(name, value) ? [[name, value] as const] : [])))
  const writes: Write[] = []
  const handed: Table[] = []
  for await (const file of glob('src/modules/**/*.ts', { cwd: ROOT })) {
    if (file.endsWith('.test.ts')) continue
    const source = ts.createSourceFile(file, await readFile(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true)
    each(source, (node) => {
      if (ts.isCallExpression(node)) writes.push(...writesOf(node))
      const isHanded = ts.isPropertyAssignment(node) && node.name.getText() === 'table'
      const table = isHanded ? tables.get(node.initializer.getText()) : undefined
      if (table) handed.push(table)
    })
  }
  emitted = new Set(
    writes.flatMap(({ table, event }) =>
      (table ? [table] : handed).map(({ resource }) => `titular/${resource}/${event}`),
    ),
  )
})

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && 'resource' in value && 'columns' in value && 'visible' in value
const isMoves = (name: string, value: unknown): value is Record<string, Move> =>
  name.endsWith('Moves') && typeof value === 'object' && value !== null

function each(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node)
  ts.forEachChild(node, (child) => each(child, look))
}

/** Without a table: of whatever is handed over as `table`. */
type Write = { table: Table | undefined; event: string }

/** `insert(ctx, table, …)`, `add(ctx, table, …)`, `update(ctx, table, id, values, event)`, `move(ctx, table, id, act)`, `remove(ctx, table, id)` */
function writesOf(call: ts.CallExpression): Write[] {
  const [, named, , third, fourth] = call.arguments
  if (!ts.isIdentifier(call.expression) || !named || !ts.isIdentifier(named)) return []
  const table = tables.get(named.text)
  if (!table && named.text !== 'table') return []
  return eventsOf(call.expression.text, table, third, fourth).map((event) => ({ table, event }))
}

function eventsOf(name: string, table: Table | undefined, third?: ts.Expression, fourth?: ts.Expression): string[] {
  if (name === 'insert' || name === 'add') return ['created']
  if (name === 'remove') return ['deleted']
  if (name === 'update') return fourth ? wordsIn(fourth) : ['updated']
  if (name !== 'move' || !third) return []
  const acts = wordsIn(third)
  return acts.length > 0 || !table ? acts : actsOf(table)
}

/** An act that was chosen elsewhere is any of the record's own tables of states, of which it may have several. */
function actsOf({ events, columns }: Table): string[] {
  const own = [...moves.values()].map((acts) => Object.values(acts))
  return own
    .filter((acts) => acts.every(({ event, column }) => event in events && columns.includes(column)))
    .flatMap((acts) => acts.map(({ event }) => event))
}

/** Events that stand in the expression: as a table's (`quotesTable.events.expiring`), or as acts of a table of states. */
function wordsIn(expression: ts.Expression): string[] {
  const words: string[] = []
  each(expression, (node) => {
    if (!ts.isPropertyAccessExpression(node)) return
    if (/(^|\.)events$/.test(node.expression.getText())) words.push(node.name.text)
    const act = moves.get(node.expression.getText())?.[node.name.text]
    if (act) words.push(act.event)
  })
  return words
}

describe('each consumer', () => {
  it('waits for an event that something emits', () => {
    expect(emitted.size).toBeGreaterThan(80)
    const idle = consumers.filter(({ event }) => event !== '*' && !emitted.has(event))
    expect(idle).toEqual([])
  })
  it('has its job', () => {
    const kinds = new Set(jobs.map(({ kind }) => kind.name))
    expect(consumers.map(({ job }) => job.name).filter((job) => !kinds.has(job))).toEqual([])
  })
})
