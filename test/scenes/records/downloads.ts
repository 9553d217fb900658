// A published release that the organization is entitled to, with a file that it has downloaded.
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { type AddRecords, addRow } from '../records.ts'

export const addRecords: AddRecords = async ({ app, add, records: { entitlements, quotes } }) => {
  const times = { created_at: app.clock.now, updated_at: app.clock.now }
  const product_id = await addRow(app, 'products', {
    ...times,
    sku: `R-${quotes}`,
    name: `Backup ${quotes}`,
    entitlement_class: 'PLG',
  })
  await app.database.query('update entitlements set product_id = $1 where id = $2', [product_id, entitlements])
  const published = { status: 'published', released_at: app.clock.now }
  const releases = await addRow(app, 'releases', {
    ...times,
    ...published,
    product_id,
    version: '1.0.0',
    version_key: '011~',
  })
  const storage_key = `vendor/${randomBytes(16).toString('hex')}`
  await app.service.ports.files.put(storage_key, Readable.from([Buffer.from('bytes')]))
  const bytes = {
    size: 5,
    sha256: '0'.repeat(64),
    storage_key,
    file_name: 'backup.zip',
    content_type: 'application/zip',
    created_at: app.clock.now,
  }
  const files = await addRow(app, 'release_files', {
    ...bytes,
    release_id: releases,
    platform: 'any',
    architecture: 'any',
  })
  await add('download_counts', { file_id: files, downloads: 1, last_downloaded_at: app.clock.now })
  return { downloads: releases, files }
}
