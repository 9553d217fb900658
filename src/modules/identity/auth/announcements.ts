// The notice before an API key ends, to those who may manage keys.
import { isPast } from '#kernel/values/time/clock.ts'
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { membersFromWith } from '#modules/messages/notifications/recipients.ts'
import { apiKeysTable } from './keys/api-key.ts'
import { keyWarnings } from './keys/key-warnings.ts'

const apiKeyExpiring = announcement({
  mail: 'api-key-expiring',
  event: apiKeysTable.events.expiring,
  audience: membersFromWith('admin', 'organization'),
  facts: keyWarnings.facts,
  about: ({ id }) => ({ record: 'api_key', id }),
  content: ({ name, last_four, expires_at, last_used_at, created_by_name }, common, io) =>
    isPast(io, expires_at)
      ? null
      : {
          ...common,
          name,
          lastFour: last_four,
          endsAt: expires_at,
          lastUsedAt: last_used_at,
          createdBy: created_by_name,
        },
})

export const apiKeyAnnouncements = [apiKeyExpiring]
