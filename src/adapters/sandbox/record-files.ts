// Files of the sandbox's systems, one for each record.
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'

/** Writes it under another name and renames it, so that a kill leaves the old or the new record. */
export async function writeRecord(folder: string, id: string, record: object): Promise<void> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, `${id}.json`)
  const unfinished = `${path}.${randomUUID()}.tmp`
  await writeFile(unfinished, JSON.stringify(record, null, 1), { mode: 0o600 })
  await rename(unfinished, path)
}

/** Writes one after the other, so that the file has the newest record. */
export function recordWriter(folder: string): (id: string, record: object) => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return (id, record) => (last = last.catch(() => undefined).then(() => writeRecord(folder, id, record)))
}

export const recordIds = async (folder: string): Promise<string[]> =>
  (await namesIn(folder, '.json')).map((name) => name.slice(0, -'.json'.length))

/** Removes what a killed process has half written. Only before the first write. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await namesIn(folder, '.tmp')) await rm(join(folder, name), { force: true })
}

/** All records, of a system that keeps them in memory while it runs. */
export async function readRecords<Schema extends TSchema>(folder: string, schema: Schema): Promise<Static<Schema>[]> {
  await removeUnfinished(folder)
  return Promise.all(
    (await namesIn(folder, '.json')).map(async (name) => {
      const record: unknown = JSON.parse(await readFile(join(folder, name), 'utf8'))
      if (!Value.Check(schema, record)) throw new Error(`Not a record of this sandbox: ${join(folder, name)}`)
      return record
    }),
  )
}

async function namesIn(folder: string, ending: string): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  return (await readdir(folder)).filter((name) => name.endsWith(ending))
}
