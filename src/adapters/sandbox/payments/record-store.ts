// The sandbox payment provider's files: one per record, written under another name and renamed, so that a kill leaves
// the old or the new record.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Value } from 'typebox/value'
import { recordIds, removeUnfinished, writeRecord } from '../record-files.ts'
import { PaymentRecord } from './records.ts'

export type RecordStore = {
  read(id: string): Promise<PaymentRecord | null>
  write(record: PaymentRecord): Promise<void>
  ids(): Promise<string[]>
  /** Runs one task at a time; every read that a write depends on must be inside. */
  exclusively<T>(task: () => Promise<T>): Promise<T>
  /** Removes the half-written files of a killed process. Only before the first write. */
  tidy(): Promise<void>
}

const ID = /^(?:cus|du|in|pi|re|sub)_[0-9a-f]{24}$/

export function recordStore(folder: string): RecordStore {
  let last: Promise<unknown> = Promise.resolve()
  return {
    read: (id) => readRecord(folder, id),
    write: (record) => writeRecord(folder, record.object.id, record),
    ids: () => recordIds(folder),
    exclusively(task) {
      const mine = last.then(task)
      last = mine.catch(() => undefined)
      return mine
    },
    tidy: () => removeUnfinished(folder),
  }
}

async function readRecord(folder: string, id: string): Promise<PaymentRecord | null> {
  // The id comes from a URL: only ids of our own form become file names.
  if (!ID.test(id)) return null
  let text: string
  try {
    text = await readFile(join(folder, `${id}.json`), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  const record: unknown = JSON.parse(text)
  if (!Value.Check(PaymentRecord, record)) throw new Error(`Not a payment record: ${id}.json`)
  return record
}
