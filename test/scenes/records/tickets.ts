// A ticket about an environment and a service, with a comment, an attachment, a step of its history, and its issue in a
// tracker, which has to be of the same ticket.
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { TestApp } from '#test/harness/app.ts'
import { type AddRecords, activated } from '../records.ts'

export const addRecords: AddRecords = async ({ app, organization, add, records }) => {
  const { entitlements, code, environments, services, quotes } = records
  const { id: organization_id, owner } = organization
  const hangs = { entitlement_id: entitlements, entitlement_code: code }
  const year = { number: `SR-1900${String(quotes).padStart(4, '0')}`, title: 'It is slow', watcher_ids: [owner.userId] }
  const tickets = await add('tickets', { ...hangs, ...year, environment_id: environments, service_id: services })
  const about = { ticket_id: tickets }
  await add('ticket_history', { ...about, ...activated(app), to_status: 'open' })
  await addIssue(app, add, tickets)
  const company = 'entity_br'
  await add('ticket_ratings', { ...about, requester_id: owner.userId, company, asked_at: app.clock.now })
  await add('ticket_comments', { ...about, body: 'Since noon', author_name: 'Ana' })
  const storage_key = `${organization_id}/${randomBytes(16).toString('hex')}`
  await app.service.ports.files.put(storage_key, Readable.from([Buffer.from('bytes')]))
  const sha256 = createHash('sha256').update('bytes').digest('hex')
  const file = { name: 'a.txt', content_type: 'text/plain; charset=utf-8', size: 5, sha256, storage_key }
  const attachments = await add('ticket_attachments', { ...about, ...file })
  return { tickets, watchers: owner.userId, attachments }
}

type Add = Parameters<AddRecords>[0]['add']

async function addIssue(app: TestApp, add: Add, ticket_id: number): Promise<void> {
  const tracker_id = randomBytes(4).toString('hex')
  const ticket_issue_id = await add('ticket_issues', {
    ticket_id,
    tracker: 'jira',
    key: 'SUP-1',
    sync_state: 'in_sync',
  })
  await add('ticket_issue_comments', { ticket_issue_id, tracker_comment_id: '1' })
  await app.database.query(
    `with synced as (
       insert into issue_syncs (organization_id, ticket_issue_id, tracker_id, mark, comments_after, comments_read_until)
       select organization_id, id, $2, $3, 0, $4 from ticket_issues where id = $1 returning organization_id)
     insert into issue_references (tracker, tracker_id, organization_id, ticket_issue_id)
     select 'jira', $2, organization_id, $1 from synced`,
    [ticket_issue_id, tracker_id, `titular-${randomBytes(10).toString('hex')}`, app.clock.now],
  )
}
