// A ticket about an environment and a service, with a comment, an attachment and a step of its history.
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { type AddRecords, activated } from '../records.ts'

export const addRecords: AddRecords = async ({ app, organization, add, records }) => {
  const { entitlements, code, environments, services, quotes } = records
  const { id: organization_id, owner } = organization
  const hangs = { entitlement_id: entitlements, entitlement_code: code }
  const year = { number: `SR-1900${String(quotes).padStart(4, '0')}`, title: 'It is slow', watcher_ids: [owner.userId] }
  const tickets = await add('tickets', { ...hangs, ...year, environment_id: environments, service_id: services })
  const about = { ticket_id: tickets }
  await add('ticket_history', { ...about, ...activated(app), to_status: 'open' })
  await add('ticket_comments', { ...about, body: 'Since noon', author_name: 'Ana' })
  const storage_key = `${organization_id}/${randomBytes(16).toString('hex')}`
  await app.service.ports.files.put(storage_key, Readable.from([Buffer.from('bytes')]))
  const sha256 = createHash('sha256').update('bytes').digest('hex')
  const file = { name: 'a.txt', content_type: 'text/plain; charset=utf-8', size: 5, sha256, storage_key }
  const attachments = await add('ticket_attachments', { ...about, ...file })
  return { tickets, watchers: owner.userId, attachments }
}
