// What a person has across organizations (docs/interface/messages.md, Notices).
import { area } from '#http/manifest/area.ts'
import { type Announcement, noticeKinds } from '#modules/messages/notifications/announcement.ts'
import { forgetEntries } from './forget-entries.ts'
import { meRoutes } from './routes.ts'

export const meArea = area<Announcement>({
  name: 'me',
  description: 'The caller’s inbox, which notices they get, and what waits for them.',
  fromAll: ({ announcements, actions }) => ({ routes: meRoutes(noticeKinds(announcements), actions) }),
  jobs: [forgetEntries],
  tables: ['inbox_entries', 'notice_preferences'],
})
