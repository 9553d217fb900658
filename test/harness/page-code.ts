// The code in pages that people read: its blocks, compiled and run as programs beside a service that listens.
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGE = join(ROOT, 'packages/sdk')
/** Where pages have the service. */
const SERVICE = 'http://127.0.0.1:3000'

const run = promisify(execFile)

export type Block = { language: string; text: string }
export type Output = { stdout: string; stderr: string }

/** In their order. */
export const blocksIn = (page: string): Block[] =>
  [...page.matchAll(/^```(.*)\n([^]*?)^```$/gm)].map(([, language = '', text = '']) => ({ language, text }))

export const readPage = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8')

export const hasShell = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0)

/** Unchanged, in a shell of its own. */
export const runInShell = (text: string, url: string, cwd: string): Promise<Output> =>
  run('bash', ['-c', text], { env: { ...process.env, API: `${url}/api/v1` }, cwd })

export type Programs = {
  directory: string
  /** Blocks of TypeScript as one program. */
  write: (name: string, blocks: readonly string[]) => Promise<void>
  /** All of them, in strict mode: `compiles`, or what the compiler says. */
  compile: () => Promise<string>
  run: (name: string, cwd: string) => Promise<Output>
  start: (name: string, cwd: string, env: Record<string, string>) => ChildProcess
  remove: () => Promise<void>
}

const COMPILER = {
  extends: '../tsconfig.json',
  compilerOptions: { noEmit: true, rootDir: '..', types: ['node'], rewriteRelativeImportExtensions: false },
  include: ['*.ts'],
}

/** In a directory inside of the client, from whose sources they import. */
export async function programsFor(url: string): Promise<Programs> {
  const directory = await mkdtemp(join(PACKAGE, 'examples-'))
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(COMPILER))
  const pathOf = (name: string) => join(directory, `${name}.ts`)
  return {
    directory,
    write: (name, blocks) => writeFile(pathOf(name), asOne(blocks, url)),
    compile: () =>
      run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', directory]).then(
        () => 'compiles',
        (error: { stdout: string }) => error.stdout,
      ),
    run: (name, cwd) => run(process.execPath, [pathOf(name)], { cwd }),
    start: (name, cwd, env) => spawn(process.execPath, [pathOf(name)], { cwd, env: { ...process.env, ...env } }),
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

/** Their imports stand at its beginning, each once. */
function asOne(blocks: readonly string[], url: string): string {
  const imports = new Map<string, Set<string>>()
  const rest = blocks.map((block) =>
    block.replaceAll(/^import \{ (.+) \} from '(.+)'\n/gm, (_line, names: string, from: string) => {
      imports.set(from, new Set([...(imports.get(from) ?? []), ...names.split(', ')]))
      return ''
    }),
  )
  const lines = [...imports].map(([from, names]) => `import { ${[...names].join(', ')} } from '${from}'`)
  return [...lines, ...rest].join('\n').replaceAll(`'@titular/sdk'`, `'../src/index.ts'`).replaceAll(SERVICE, url)
}
