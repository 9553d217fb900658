// Builds the console into `dist`, which the service serves at /app (src/http/pages/console.ts).
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

const SERVICE = process.env['SERVICE'] ?? 'http://127.0.0.1:3000'

/** Gzipped bytes that the first page may load: its entry, the texts of one language, the home screens, and what these import at once. */
const BUDGETS = { '.js': 200_000, '.css': 40_000 }
const HOME = /\/src\/routes\/home\//
const FIRST = /\/src\/texts\/pt-br\.ts$/

/** Smaller files gain less than the bytes that say how they are coded. */
const LEAST_BYTES = 1024
const COMPRESSED = /\.(js|css|svg|json)$/

/** The chunks, what they import at once, and the styles of all of them. */
function filesOf(bundle: Rolldown.OutputBundle, chunks: readonly Rolldown.OutputChunk[]): Set<string> {
  const files = new Set<string>()
  const add = (chunk: Rolldown.OutputChunk): void => {
    if (files.has(chunk.fileName)) return
    files.add(chunk.fileName)
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style)
    for (const name of chunk.imports) {
      const other = bundle[name]
      if (other?.type === 'chunk') add(other)
    }
  }
  for (const chunk of chunks) add(chunk)
  return files
}

/** Fails beyond the budgets, and puts a `.br` and a `.gz` beside each file that gets smaller by them. */
const delivery = (): Plugin => ({
  name: 'delivery',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const sizes = new Map<string, number>()
      for (const item of Object.values(bundle)) {
        const source = item.type === 'chunk' ? item.code : item.source
        const zipped = gzipSync(source, { level: 9 })
        sizes.set(item.fileName, zipped.length)
        if (!COMPRESSED.test(item.fileName) || source.length < LEAST_BYTES) continue
        this.emitFile({ type: 'asset', fileName: `${item.fileName}.gz`, source: zipped })
        this.emitFile({ type: 'asset', fileName: `${item.fileName}.br`, source: brotliCompressSync(source) })
      }
      const chunks = Object.values(bundle).filter((item) => item.type === 'chunk')
      const always = chunks.filter(({ isEntry, facadeModuleId }) => isEntry || FIRST.test(facadeModuleId ?? ''))
      for (const home of chunks.filter(({ facadeModuleId }) => HOME.test(facadeModuleId ?? ''))) {
        const loaded = [...filesOf(bundle, [...always, home])]
        for (const kind of ['.js', '.css'] as const) {
          const bytes = loaded
            .filter((name) => name.endsWith(kind))
            .reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0)
          const said = `With ${home.name} the first page loads ${bytes} gzipped bytes of ${kind}, of ${BUDGETS[kind]}`
          if (bytes > BUDGETS[kind]) this.error(said)
          this.info(said)
        }
      }
    },
  },
})

export default defineConfig({
  base: '/app/',
  plugins: [react(), delivery()],
  // The client's sources, so that the console needs no build of it.
  resolve: { alias: { '@titular/sdk': fileURLToPath(new URL('../../packages/sdk/src/index.ts', import.meta.url)) } },
  // Sizes are held by the budgets above.
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  server: { proxy: { '/api': SERVICE } },
})
