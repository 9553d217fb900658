// A contact of the organization, a preference, an address that gets no mails of a kind, an entry in the owner's inbox, and a mail that was sent.
import { type AddRecords, addRow } from '../records.ts'

export const addRecords: AddRecords = async ({ app, organization: { id, owner, staff }, add, records }) => {
  const at = app.clock.now
  const contacts = await add('organization_contacts', { role: 'legal', user_id: owner.userId, language: 'en' })
  await app.database.query(
    `insert into notice_preferences (organization_id, user_id, kind, mail, inbox, updated_at)
     values ($1, $2, 'quote-expiring', true, true, $3)`,
    [id, owner.userId, at],
  )
  await app.database.query(
    `insert into muted_addresses (organization_id, email, kind, created_at)
     values ($1, 'hosting@acme.example', 'maintenance-scheduled', $2)`,
    [id, at],
  )
  await app.database.query(
    `insert into contact_confirmations (organization_id, email, asked_at) values ($1, 'hosting@acme.example', $2)`,
    [id, at],
  )
  const money = { total: '100.00', currency: 'BRL' }
  const content = { kind: 'quote-accepted', organizationName: 'Acme', number: 'Q-1', ...money, link: null }
  const needs = { weight: 50, scope: 'quotes', staff_scope: 'quotes' }
  const about = { kind: 'quote-accepted', record: 'order', record_id: records.orders, created_at: at }
  const inbox = await add('inbox_entries', {
    user_id: owner.userId,
    content: JSON.stringify(content),
    ...about,
    ...needs,
  })
  // The last one is copied for the lists, which staff read.
  await add('inbox_entries', { user_id: staff.userId, content: JSON.stringify(content), ...about, ...needs })
  const to = { organization_id: id, user_id: owner.userId, email: owner.email }
  const sent = { status: 'sent', subject: 'Quote Q-1 accepted', attempts: 1, sent_at: at, created_at: at }
  const mails = await addRow(app, 'mails', {
    ...to,
    is_to_people: true,
    kind: 'quote-accepted',
    resource_id: records.quotes,
    ...sent,
  })
  return { contacts, inbox, mails }
}
