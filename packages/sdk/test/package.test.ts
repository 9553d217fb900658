// What a page carries of the package, and that its names are one thing each.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'

const SOURCE = join(import.meta.dirname, '../src')
/** All operations are 19 kB: a page that carries them has to fail. */
const LARGEST_PAGE = 8_000
const ENTRY = '\0page'

/** The bytes of a program, compressed as a server sends it. */
async function compressed(program: string): Promise<{ bytes: number; code: string }> {
  const bundle = await rolldown({
    input: ENTRY,
    platform: 'browser',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === ENTRY ? ENTRY : id === '@titular/sdk' ? join(SOURCE, 'index.ts') : null),
        load: (id) => (id === ENTRY ? program : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  const code = output.map((one) => (one.type === 'chunk' ? one.code : '')).join('')
  return { bytes: gzipSync(code).length, code }
}

it('a page that lists and accepts quotes is small, and has nothing of other operations', async () => {
  const { bytes, code } = await compressed(`
    import { acceptQuote, cookieSession, createTitular, listQuotes, ValidationError } from '@titular/sdk'
    const session = cookieSession()
    const titular = createTitular({ baseUrl: '', credentials: session })
    export const quotes = () => titular.pages(listQuotes, { status: 'sent' })
    export const accept = (id) => titular.call(acceptQuote, { id }).catch((error) => error instanceof ValidationError)
  `)
  expect(bytes).toBeLessThan(LARGEST_PAGE)
  expect(code).toContain('/quotes/{id}/accept')
  for (const other of ['/licenses', 'whsec', 'titular-license', 'node:']) expect(code).not.toContain(other)
})

it('the package needs nothing of Node, and no other package', () => {
  const { dependencies, sideEffects } = JSON.parse(readFileSync(join(SOURCE, '../package.json'), 'utf8'))
  expect([dependencies, sideEffects]).toEqual([undefined, false])
  const files = globSync('**/*.ts', { cwd: SOURCE })
  expect(files.length).toBeGreaterThan(15)
  const imports = files.flatMap((file) =>
    [...readFileSync(join(SOURCE, file), 'utf8').matchAll(/\bfrom '([^']+)'/g)].map(([, to = '']) =>
      join(file, '..', to),
    ),
  )
  expect(imports.filter((path) => !files.includes(path))).toEqual([])
})

const declared = (text: string) => [...text.matchAll(/^export (?:type|const|class) (\w+)/gm)].map(([, name]) => name)

it('no name of the client hides one of the interface', async () => {
  const own = readFileSync(join(SOURCE, 'index.ts'), 'utf8').matchAll(/export (?:type )?\{([^}]+)\}/g)
  const names = [...own].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.replace(/^\s*type\s/, '').trim()),
  )
  const generated = ['types', 'operations'].map((name) => readFileSync(join(SOURCE, `generated/${name}.ts`), 'utf8'))
  const errors = readFileSync(join(SOURCE, 'errors.ts'), 'utf8')
  const ofInterface = new Set(generated.flatMap(declared))
  expect(ofInterface.size).toBeGreaterThan(1000)
  expect([...names, ...declared(errors)].filter((name) => ofInterface.has(name))).toEqual([])
})
