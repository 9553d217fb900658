// A document with its version, a share link, and an entry of who read it.
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app, organization, add, records: { entitlements } }) => {
  const { id: organization_id, owner } = organization
  const storage_key = `${organization_id}/${randomBytes(16).toString('hex')}`
  await app.service.ports.files.put(storage_key, Readable.from([Buffer.from('bytes')]))
  const sha256 = createHash('sha256').update('bytes').digest('hex')
  const file = {
    name: 'plan.txt',
    content_type: 'text/plain; charset=utf-8',
    size: 5,
    sha256,
    uploaded_by: owner.userId,
  }
  const documents = await add('documents', { ...file, category: 'technical', entitlement_id: entitlements })
  await add('document_versions', { ...file, document_id: documents, version: 1, storage_key })
  const shared = { token_digest: randomBytes(32), created_by_name: 'Ana', expires_at: '2999-12-31' }
  const shares = await add('document_shares', { ...shared, document_id: documents, created_by: owner.userId })
  const read = { document_id: documents, version: 1, at: app.clock.now, reader_kind: 'user', reader: 'Ana' }
  await add('document_accesses', { ...read, user_id: owner.userId })
  return { documents, shares }
}
