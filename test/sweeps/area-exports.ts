// All exports of the areas' modules, so that a sweep finds the declarations of a later area too.
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export type AreaExport = { file: string; name: string; value: unknown }

const ROOT = join(import.meta.dirname, '../..')

export async function areaExports(): Promise<AreaExport[]> {
  const found: AreaExport[] = []
  for await (const file of glob('src/modules/**/*.ts', { cwd: ROOT })) {
    if (file.endsWith('.test.ts')) continue
    const module = (await import(pathToFileURL(join(ROOT, file)).href)) as Record<string, unknown>
    for (const [name, value] of Object.entries(module)) found.push({ file, name, value })
  }
  return found.toSorted((one, other) => `${one.file} ${one.name}`.localeCompare(`${other.file} ${other.name}`))
}
