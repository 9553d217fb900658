// The outbox: the mails that were sent, and what became of them (docs/interface/messages.md, Notices).
import { area } from '#http/manifest/area.ts'
import { type Announcement, noticeKinds } from '#modules/messages/notifications/announcement.ts'
import { forgetMails } from './forget-mails.ts'
import { mailRoutes } from './routes.ts'

export const mailsArea = area<Announcement>({
  name: 'mails',
  description: 'The mails that the service has sent, and what became of each.',
  fromAll: ({ announcements }) => ({ routes: mailRoutes(noticeKinds(announcements)) }),
  jobs: [forgetMails],
  tables: ['mails'],
})
