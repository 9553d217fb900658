// What customers see of the events of their API keys. Neither half of a key is in them.
import { publishedResource } from '#kernel/data/published.ts'
import { ApiKey, apiKeysTable } from './keys/api-key.ts'

export const publishedApiKeys = publishedResource(apiKeysTable, {
  scopes: ['organization'],
  record: ApiKey,
  events: {
    created: 'An API key was created.',
    updated: 'The name, the end or the networks of an API key were changed.',
    rotated: 'An API key got a new secret.',
    revoked: 'An API key was revoked.',
    expiring: 'An API key ends soon.',
  },
})
