// What customers see of the events of their connections. No secret is in them.
import { publishedResource } from '#kernel/data/published.ts'
import { ssoConnectionsTable, StoredConnection } from './connection.ts'

export const publishedSsoConnections = publishedResource(ssoConnectionsTable, {
  scopes: ['organization'],
  record: StoredConnection,
  events: {
    created: 'A connection to an identity provider was created.',
    updated: 'A connection to an identity provider has changed.',
    deleted: 'A connection to an identity provider was removed.',
  },
})
