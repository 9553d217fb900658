// The sandbox tax authority's files: one per tax invoice, named by declaration and access key, written under another
// name and renamed.
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

export const InvoiceRecord = Type.Object({
  declaration_id: Type.String(),
  access_key: Type.String(),
  xml: Type.String(),
  /** The event that cancelled or replaced it. */
  event: Type.Union([Type.Object({ type: Type.String(), xml: Type.String() }), Type.Null()]),
})
export type InvoiceRecord = Static<typeof InvoiceRecord>

export type InvoiceStore = {
  byDeclaration(id: string): Promise<InvoiceRecord | null>
  byAccessKey(key: string): Promise<InvoiceRecord | null>
  accessKeys(): Promise<string[]>
  write(record: InvoiceRecord): Promise<void>
  /** Runs one task at a time. */
  exclusively<T>(task: () => Promise<T>): Promise<T>
}

const NAME = /^(DPS[0-9A-Z]{42})_([0-9A-Z]{50})\.json$/

export function invoiceStore(folder: string): InvoiceStore {
  let last: Promise<unknown> = Promise.resolve()
  let names: Promise<Set<string>> | null = null
  const known = () =>
    (names ??= mkdir(folder, { recursive: true })
      .then(() => readdir(folder))
      .then((found) => new Set(found.filter((name) => NAME.test(name)))))
  const findName = async (is: (declaration: string, key: string) => boolean) => {
    for (const name of await known()) {
      const [, declaration = '', key = ''] = NAME.exec(name) ?? []
      if (is(declaration, key)) return readRecord(join(folder, name))
    }
    return null
  }
  return {
    byDeclaration: (id) => findName((declaration) => declaration === id),
    byAccessKey: (key) => findName((_declaration, one) => one === key),
    async accessKeys() {
      return [...(await known())].map((name) => NAME.exec(name)?.[2] ?? '')
    },
    async write(record) {
      const found = await known()
      const name = `${record.declaration_id}_${record.access_key}.json`
      const unfinished = join(folder, `${randomUUID()}.tmp`)
      await writeFile(unfinished, JSON.stringify(record, null, 1), { flush: true, mode: 0o600 })
      await rename(unfinished, join(folder, name))
      found.add(name)
    },
    exclusively(task) {
      const mine = last.then(task)
      last = mine.catch(() => undefined)
      return mine
    },
  }
}

async function readRecord(path: string): Promise<InvoiceRecord> {
  const record: unknown = JSON.parse(await readFile(path, 'utf8'))
  if (!Value.Check(InvoiceRecord, record)) throw new Error(`Not a tax invoice's record: ${path}`)
  return record
}
