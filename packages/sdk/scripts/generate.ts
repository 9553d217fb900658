// Writes src/generated from openapi.json: types by @hey-api/openapi-ts, and the operations as values that a bundler can
// leave out one by one. `--if-stale` does nothing where the files were made from the same document by the same script.
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Document, documentOfTypes, eventTypes, operationLines, type OperationLine } from './document.ts'

const PACKAGE = join(import.meta.dirname, '..')
const DOCUMENT = join(PACKAGE, '../../openapi.json')
const GENERATED = join(PACKAGE, 'src/generated')

const read = (path: string): Promise<string> => readFile(path, 'utf8')

async function stampOf(document: string): Promise<string> {
  const scripts = ['generate.ts', 'document.ts'].map((name) => read(join(import.meta.dirname, name)))
  const hash = createHash('sha256').update(document)
  for (const text of await Promise.all(scripts)) hash.update(text)
  return hash.digest('hex')
}

export async function generate(options: { ifStale?: boolean } = {}): Promise<'fresh' | 'generated'> {
  const text = await read(DOCUMENT)
  const stamp = await stampOf(text)
  const former = await read(join(GENERATED, 'stamp')).catch(() => '')
  if (options.ifStale && former === stamp) return 'fresh'
  await mkdir(GENERATED, { recursive: true })
  const directory = await mkdtemp(join(GENERATED, 'new-'))
  try {
    const document: Document = JSON.parse(text)
    await writeTypes(document, directory)
    await writeFile(join(directory, 'operations.ts'), operationsFile(operationLines(document)))
    await writeFile(join(directory, 'events.ts'), eventsFile(eventTypes(document)))
    // The stamp comes last, so that files of which only some are new are never taken for fresh.
    await rm(join(GENERATED, 'stamp'), { force: true })
    for (const name of ['types.ts', 'operations.ts', 'events.ts'])
      await rename(join(directory, name), join(GENERATED, name))
    await writeFile(join(GENERATED, 'stamp'), stamp)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
  return 'generated'
}

async function writeTypes(document: Document, directory: string): Promise<void> {
  // Loaded only here, since a check whether the files are fresh is part of each run of the tests.
  const { createClient } = await import('@hey-api/openapi-ts')
  const input = join(directory, 'openapi.json')
  const path = join(directory, 'hey-api')
  await writeFile(input, JSON.stringify(documentOfTypes(document)))
  await createClient({
    input,
    output: { path, entryFile: false },
    plugins: ['@hey-api/typescript'],
    logs: { level: 'silent' },
  })
  await rename(join(path, 'types.gen.ts'), join(directory, 'types.ts'))
}

const NOTE = '// Generated from openapi.json by `npm run sdk`.\n'

function operationsFile(lines: readonly OperationLine[]): string {
  const names = lines.flatMap(({ type, hasData }) => [`${type}Data`, ...(hasData ? [`${type}Response`] : [])])
  const each = lines.map(({ comment, type, hasData, value }) => {
    const text = comment.replaceAll('*/', '* /').split('\n').join('\n * ').replaceAll(/ +$/gm, '')
    const data = hasData ? `${type}Response` : 'never'
    const file = value.file ? ' & { file: true }' : ''
    const declaration = `export const ${value.id}: Operation<${type}Data, ${data}>${file}`
    return `/**\n * ${text}\n */\n${declaration} = ${JSON.stringify(value)}\n`
  })
  return [
    NOTE,
    `import type { Operation } from '../operation.ts'\n`,
    `import type {\n  ${names.join(',\n  ')},\n} from './types.ts'\n\n`,
    each.join('\n'),
  ].join('')
}

const eventsFile = (types: readonly string[]): string =>
  `${NOTE}import type {\n  ${types.join(',\n  ')},\n} from './types.ts'\n
/** An event as the feed and webhooks give it; \`type\` says which record \`data\` is. */
export type TitularEvent =\n  | ${types.join('\n  | ')}\n`

if (import.meta.main) {
  const result = await generate({ ifStale: process.argv.includes('--if-stale') })
  if (result === 'generated') process.stdout.write('wrote packages/sdk/src/generated\n')
}
