// The issue of a ticket, with a comment of the tracker.
import { randomBytes } from 'node:crypto'
import type { AddRecords } from '../records.ts'

/** Before those of tickets in the alphabet, so that it has a ticket of its own. */
export const addRecords: AddRecords = async ({ app, add, records: { entitlements, code, quotes } }) => {
  const hangs = { entitlement_id: entitlements, entitlement_code: code }
  const ticket_id = await add('tickets', {
    ...hangs,
    number: `SR-1901${String(quotes).padStart(4, '0')}`,
    title: 'Linked',
  })
  const tracker_id = randomBytes(4).toString('hex')
  const ticket_issue_id = await add('ticket_issues', {
    ticket_id,
    tracker: 'jira',
    tracker_id,
    key: `SUP-${quotes}`,
    sync_state: 'in_sync',
    mark: `titular-${randomBytes(10).toString('hex')}`,
    comments_after: 0,
    comments_read_until: app.clock.now,
  })
  await add('ticket_issue_comments', { ticket_issue_id, tracker_comment_id: '1' })
  await app.database.query(
    `insert into issue_references (tracker, tracker_id, organization_id, ticket_issue_id)
     select 'jira', $1, organization_id, id from ticket_issues where id = $2`,
    [tracker_id, ticket_issue_id],
  )
  return {}
}
