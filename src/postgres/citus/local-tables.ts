// Tables of organizations that a cluster keeps on its coordinator. All others that have an organization_id are
// distributed by it.

/** Why a table is not distributed. */
export const LOCAL_TABLES: Readonly<Record<string, string>> = {
  // The access check reads them in views with the rights of their owner, which a shard would not apply.
  organizations: 'the access check reads it',
  collaborators: 'the access check reads it',
  event_sequences: 'the access check reads it, and it is the lock of the organization',
  sso_connections: 'a sign-in looks for them over all organizations',
  organization_roles: 'collaborators refer to it',
  staff_entries: 'the access check reads it',
  api_keys: 'a key is unique over all organizations',
  // Unique over all organizations: a constraint of a distributed table would hold within one organization only.
  claims: 'its value is unique over all organizations',
  commerce_orders: 'an order of a shop is unique over all organizations',
  imported_records: 'an id of a source is unique over all organizations',
  issue_references: 'an issue is unique over all organizations',
  payment_references: 'a reference is unique over all organizations',
  // Read together with people and memberships.
  organization_contacts: 'read together with users',
  muted_addresses: 'read together with the contacts',
  contact_confirmations: 'read together with the contacts',
  notice_preferences: 'read together with users',
  inbox_entries: 'of a person, in all their organizations',
  // They also hold rows of no organization.
  idempotency_keys: 'requests without an organization have some, too',
  jobs: 'the service has jobs of its own, and workers claim them in one order',
  mails: 'mails about an account belong to no organization',
  webhook_deliveries: 'the endpoints of the vendor have some, too',
  webhook_endpoints: 'the vendor has some, too',
  webhook_queues: 'the endpoints of the vendor have some, too',
}

/** On every node, since what is distributed is read together with them; the vendor changes them seldom. */
export const REFERENCE_TABLES: readonly string[] = [
  'business_hours',
  'canned_replies',
  'company_settings',
  'price_index_rates',
  'products',
  'team_members',
  'teams',
]

/**
 * Unique over all organizations because a sequence or 256 bits of chance made them: distributed, nothing compares them.
 */
export const MADE_UNIQUE: Readonly<Record<string, string>> = {
  document_shares: 'token_digest',
  quote_links: 'token_digest',
}
