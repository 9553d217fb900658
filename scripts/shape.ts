// Counts what makes the sources hard to find one's way in. `test/shape.txt` has the figures, which may only fall:
//   node scripts/shape.ts          prints them
//   node scripts/shape.ts write    writes them to test/shape.txt, unless one has risen
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
export const SHAPE_FILE = join(ROOT, 'test/shape.txt')

type Source = { path: string; text: string; imports: Import[] }
type Import = { to: string; names: string[] }

const MACHINERY = ['src/kernel/', 'src/http/', 'src/server/']
/** The rooms of the kernel from the lowest up: each may import only those before it. */
const ROOMS = ['values', 'keys', 'network', 'database', 'data', 'access', 'jobs', 'http']
const AREAS = /^src\/(?:areas|modules)\//
const LONGEST_LINE = 120

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const paths = (pattern: string): string[] => globSync(pattern, { cwd: ROOT }).toSorted()
const linesOf = (text: string): string[] => text.split('\n')
const isTest = (path: string): boolean => /\.(test|contract|d)\.ts$/.test(path)

const IMPORT =
  /^(?:import|export)\s+(?:type\s+)?([^'"]*?)\bfrom\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm

/** `{ type One, other as alias }` to `['One', 'other']`. */
const namesIn = (clause: string): string[] =>
  [...(/\{([^}]*)\}/s.exec(clause)?.[1]?.matchAll(/(?:type\s+)?(\w+)(?:\s+as\s+\w+)?\s*(?:,|$)/g) ?? [])].map(
    ([, name = '']) => name,
  )

function importsOf(path: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(([, clause = '', named, bare, dynamic]) => {
    const specifier = named ?? bare ?? dynamic ?? ''
    const to = specifier.startsWith('#')
      ? `src/${specifier.slice(1)}`
      : specifier.startsWith('.')
        ? normalize(join(dirname(path), specifier))
        : specifier
    return { to, names: namesIn(clause) }
  })
}

/** Figures by name, the smaller the better. */
export function shape(): Record<string, number> {
  const sources = paths('src/**/*.ts')
    .filter((path) => !isTest(path))
    .map((path): Source => {
      const text = read(path)
      return { path, text, imports: importsOf(path, text) }
    })
  return {
    ...machinery(sources),
    ...siblings(sources),
    ...words(sources),
    ...repository(),
  }
}

const roomOf = (path: string): number => ROOMS.indexOf(/^src\/kernel\/(\w+)\//.exec(path)?.[1] ?? '')

function machinery(sources: readonly Source[]): Record<string, number> {
  const isMachinery = ({ path }: Source) => MACHINERY.some((folder) => path.startsWith(folder))
  const kernel = sources.filter(isMachinery)
  const exported = kernel.flatMap(({ path, text }) =>
    [
      ...text.matchAll(
        /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|type|interface) (\w+)/gm,
      ),
    ].map(([, name = '']) => `${path} ${name}`),
  )
  const used = new Set(
    sources
      .filter(({ path }) => AREAS.test(path))
      .flatMap(({ imports }) => imports)
      .filter(({ to }) => MACHINERY.some((folder) => to.startsWith(folder)))
      .flatMap(({ to, names }) => names.map((name) => `${to} ${name}`)),
  )
  const upward = sources.flatMap(({ path, imports }) =>
    roomOf(path) < 0 ? [] : imports.filter(({ to }) => roomOf(to) > roomOf(path)),
  )
  return {
    'kernel and http: lines of code': kernel.flatMap(({ text }) => codeLines(text)).length,
    'route(): keys': keysOfRoute(),
    'kernel: exported names': exported.length,
    'kernel: names that areas use': exported.filter((name) => used.has(name)).length,
    'kernel: imports that point upward': upward.length,
    'kernel and http: files of the largest room': Math.max(...counts(kernel.map(({ path }) => dirname(path))).values()),
  }
}

const codeLines = (text: string): string[] =>
  linesOf(text.replaceAll(/\/\*[\s\S]*?\*\//g, '')).filter((line) => line.trim() !== '' && !/^\s*\/\//.test(line))

function keysOfRoute(): number {
  const file = paths('src/{http,kernel/http}/route.ts')[0] ?? ''
  const body = /export type Route = \{\n([\s\S]*?)\n\}/.exec(read(file))?.[1] ?? ''
  return [...body.matchAll(/^ {2}\w+\??:/gm)].length
}

function counts(values: readonly string[]): Map<string, number> {
  const found = new Map<string, number>()
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1)
  return found
}

const siblingOf = (path: string): string | undefined => /^src\/(?:areas|modules)\/([^/]+)\//.exec(path)?.[1]

/** The folders side by side under `areas` (or `modules`), and what they import of each other. */
function siblings(sources: readonly Source[]): Record<string, number> {
  const edges = new Map<string, Set<string>>()
  for (const { path, imports } of sources) {
    const from = siblingOf(path)
    if (from === undefined) continue
    const targets = edges.get(from) ?? new Set<string>()
    edges.set(from, targets)
    for (const { to } of imports) {
      const target = siblingOf(to)
      if (target !== undefined && target !== from) targets.add(target)
    }
  }
  const inAreas = sources.filter(({ path }) => AREAS.test(path))
  const second = inAreas.filter(({ text }) => /\b(?:realNow|hasTestClock|testClock)\b/.test(text))
  return {
    'areas: siblings': edges.size,
    'areas: edges between siblings': [...edges.values()].reduce((sum, { size }) => sum + size, 0),
    'areas: siblings of the largest cycle': largestCycle(edges),
    'lines that ask which engine it is, outside postgres/citus': sources
      .filter(({ path }) => !path.startsWith('src/postgres/citus/'))
      .flatMap(({ text }) => linesOf(text))
      .filter((line) => line.includes('isDistributed')).length,
    'areas: files with a second clock': second.length,
    'bare imports for declarations': sources
      .flatMap(({ text }) => linesOf(text))
      .filter((line) => /^import ['"][#.]/.test(line)).length,
  }
}

/** Of the folders that reach each other; 0 when none do. */
function largestCycle(edges: ReadonlyMap<string, ReadonlySet<string>>): number {
  const reachable = new Map<string, Set<string>>()
  for (const start of edges.keys()) {
    const seen = new Set<string>()
    const waiting = [start]
    for (let from = waiting.pop(); from !== undefined; from = waiting.pop())
      for (const to of edges.get(from) ?? [])
        if (!seen.has(to)) {
          seen.add(to)
          waiting.push(to)
        }
    reachable.set(start, seen)
  }
  const mutual = (one: string) =>
    [...edges.keys()].filter((other) => reachable.get(one)?.has(other) && reachable.get(other)?.has(one))
  return Math.max(0, ...[...edges.keys()].map((one) => mutual(one).length))
}

/** Irregular ones; the others end with `ed`. */
const PARTICIPLES =
  'Found|Known|Given|Written|Sold|Paid|Kept|Told|Held|Sent|Made|Taken|Bought|Brought|Built|Done|Drawn|Lost|Read|Seen|Shown|Told|Thrown|Meant|Left|Set|Put|Cut|Split|Bound|Begun|Chosen'

function words(sources: readonly Source[]): Record<string, number> {
  const types = sources.flatMap(({ text }) =>
    [...text.matchAll(/^(?:export )?type (\w+)\b/gm)].map(([, name = '']) => name),
  )
  return {
    'participles as names of types': types.filter((name) => new RegExp(`^(?:[A-Z][a-z]*ed|${PARTICIPLES})$`).test(name))
      .length,
    'types called Asked': types.filter((name) => name === 'Asked').length,
    'lines over 120 columns': sources.flatMap(({ text }) => linesOf(text)).filter((line) => line.length > LONGEST_LINE)
      .length,
  }
}

const wordsOf = (path: string): number => read(path).split(/\s+/).filter(Boolean).length

function repository(): Record<string, number> {
  const startApps = [...paths('src/**/*.test.ts'), ...paths('test/**/*.ts')].flatMap((path) => [
    ...read(path).matchAll(/\bstartApp\(/g),
  ])
  return {
    migrations: paths('migrations/*.sql').length,
    'tests: calls of startApp()': startApps.length,
    'README.md: words': wordsOf('README.md'),
    'docs: words of the longest page': Math.max(...paths('docs/**/*.md').map(wordsOf)),
  }
}

export const shapeText = (figures: Record<string, number>): string =>
  Object.entries(figures)
    .map(([name, figure]) => `${String(figure).padStart(6)}  ${name}\n`)
    .join('')

export const shapeOf = (text: string): Record<string, number> =>
  Object.fromEntries(
    linesOf(text.trimEnd()).map((line) => [line.trim().replace(/^\d+ +/, ''), Number.parseInt(line, 10)]),
  )

/** The figures that are larger than before, as sentences. */
export const risen = (before: Record<string, number>, now: Record<string, number>): string[] =>
  Object.entries(now).flatMap(([name, figure]) =>
    figure > (before[name] ?? Infinity) ? [`${name}: ${before[name]} before, ${figure} now`] : [],
  )

if (import.meta.main) {
  const figures = shape()
  process.stdout.write(shapeText(figures))
  if (process.argv[2] === 'write') {
    const worse = risen(existsSync(SHAPE_FILE) ? shapeOf(readFileSync(SHAPE_FILE, 'utf8')) : {}, figures)
    if (worse.length > 0) throw new Error(`risen, so nothing is written:\n${worse.join('\n')}`)
    writeFileSync(SHAPE_FILE, shapeText(figures))
  }
}
