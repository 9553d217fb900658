// The pages in docs/interface against the code, in both directions: endpoints with access, and the tables of states.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/modules.ts'
import { type Move, transitions } from '#kernel/data/moves.ts'
import { accessText } from './access-matrix.ts'
import { areaExports } from './area-exports.ts'

type Page = { name: string; lines: string[] }
type Row = { isPlanned: boolean; cells: string[]; place: string }

const FOLDER = join(import.meta.dirname, '../../docs/interface')

let pages: Page[]
beforeAll(async () => {
  const names = (await readdir(FOLDER)).toSorted()
  pages = await Promise.all(
    names.map(async (name) => ({ name, lines: (await readFile(join(FOLDER, name), 'utf8')).split('\n') })),
  )
})

describe('the pages in docs/interface', () => {
  it('have a row for each route, with its access, and no other rows', () => {
    const rows = rowsUnder(['Method', 'Path', 'Access', 'Purpose'])
    expect(rows.length).toBeGreaterThan(100)
    const problems: string[] = []
    const documented = new Map<string, Row>()
    for (const row of rows) {
      const [method = '', path = ''] = row.cells
      const key = `${method} ${path}`
      if (documented.has(key)) problems.push(`${row.place}: ${key} stands here twice`)
      documented.set(key, row)
    }
    const built = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]))
    for (const [key, { isPlanned, cells, place }] of documented) {
      const route = built.get(key)
      if (isPlanned && route) problems.push(`${place}: ${key} is built; move it out of "Planned"`)
      if (!isPlanned && !route) problems.push(`${place}: ${key} has no route`)
      if (!isPlanned && route && accessText(route) !== cells[2])
        problems.push(`${place}: ${key} says "${cells[2]}", the route "${accessText(route)}"`)
    }
    for (const [key, route] of built)
      if (!documented.has(key)) problems.push(`no row: | ${key.replace(' ', ' | ')} | ${accessText(route)} |`)
    expect(problems, problems.join('\n')).toEqual([])
  })

  it('have the tables of states that the code has', async () => {
    const documented = new Map<string, Record<string, string[]>>()
    for (const { cells } of rowsUnder(['Resource', 'From', 'May become'])) {
      const [resource = '', from = '', to = ''] = cells
      const name = movesName(resource)
      documented.set(name, { ...documented.get(name), [from]: to.split(', ').toSorted() })
    }
    const built = new Map<string, Record<string, string[]>>()
    for (const { name, value } of await areaExports())
      if (isMoves(value))
        built.set(name, Object.fromEntries([...transitions(value)].map(([from, states]) => [from, states.toSorted()])))
    const all = [...new Set([...documented.keys(), ...built.keys()])].toSorted()
    const table = (of: typeof built) => Object.fromEntries(all.map((name) => [name, of.get(name) ?? 'none']))
    expect(table(documented), 'documented (received) against the code (expected)').toEqual(table(built))
  })
})

/** The rows of all tables with this head, without those below a heading that begins with "Planned". */
const rowsUnder = (head: string[]): Row[] => pages.flatMap((page) => rowsOn(page, head))

function rowsOn({ name, lines }: Page, head: string[]): Row[] {
  const rows: Row[] = []
  let isPlanned = false
  let isInTable = false
  for (const [index, line] of lines.entries()) {
    if (/^#+ /.test(line)) isPlanned = /^#+ Planned\b/.test(line)
    const cells = line.startsWith('|')
      ? line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim())
      : []
    if (cells.length === 0) isInTable = false
    else if (isInTable && !/^-+$/.test(cells[0] ?? ''))
      rows.push({ isPlanned, cells, place: `${name}, line ${index + 1}` })
    else if (cells.join() === head.join()) isInTable = true
  }
  return rows
}

/** `Tax invoice` is declared as `taxInvoiceMoves`. */
const movesName = (resource: string): string =>
  `${resource.toLowerCase().replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase())}Moves`

function isMoves(value: unknown): value is Record<string, Move> {
  if (typeof value !== 'object' || value === null) return false
  const members: unknown[] = Object.values(value)
  return (
    members.length > 0 &&
    members.every(
      (member) =>
        typeof member === 'object' && member !== null && 'from' in member && 'to' in member && 'event' in member,
    )
  )
}
