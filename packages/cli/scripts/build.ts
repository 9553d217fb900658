// Makes dist: the program in a few files with all that it imports, so that it starts fast and needs no other package.
import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { rolldown } from 'rolldown'
import { generate as generateClient } from '../../sdk/scripts/generate.ts'
import { generate } from './generate.ts'

const PACKAGE = join(import.meta.dirname, '..')
const ROOT = join(PACKAGE, '../..')

export async function build(directory = join(PACKAGE, 'dist')): Promise<void> {
  await generateClient({ ifStale: true })
  await rm(directory, { recursive: true, force: true })
  const bundle = await rolldown({
    cwd: PACKAGE,
    input: { titular: 'src/titular.ts' },
    platform: 'node',
    resolve: { alias: { '@titular/sdk': join(PACKAGE, '../sdk/src/index.ts') } },
    transform: { target: 'node20' },
  })
  const { output } = await bundle.write({ dir: directory, format: 'esm', chunkFileNames: '[name].js' })
  await generate(join(directory, 'generated'))
  await chmod(join(directory, 'titular.js'), 0o755)
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  await writeFile(join(directory, 'LICENSES.txt'), await licensesOf(modules))
}

/** Of the packages that the program contains. */
async function licensesOf(modules: readonly string[]): Promise<string> {
  const names = modules.flatMap((id) => {
    const [, path] = relative(ROOT, id).split(`node_modules${sep}`)
    return path === undefined ? [] : [path.split(sep, path.startsWith('@') ? 2 : 1).join(sep)]
  })
  const texts = [...new Set(names)].toSorted().map(async (name) => {
    const folder = join(ROOT, 'node_modules', name)
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
    if (file === undefined) throw new Error(`${name} has no license`)
    return `${name}\n\n${await readFile(join(folder, file), 'utf8')}`
  })
  return (await Promise.all(texts)).join('\n\n')
}

if (import.meta.main) await build()
