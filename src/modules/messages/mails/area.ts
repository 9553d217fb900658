// The outbox: the mails that were sent, and what became of them (docs/interface/messages.md, Notices).
import { area } from '#http/manifest/area.ts'
import { forgetMails } from './forget-mails.ts'
import type { KindToPeople } from './mail-record.ts'
import { mailRoutes } from './routes.ts'

export const mailsArea = (kinds: () => readonly KindToPeople[]) =>
  area({
    name: 'mails',
    description: 'The mails that the service has sent, and what became of each.',
    routes: mailRoutes(kinds),
    jobs: [forgetMails],
    tables: ['mails'],
  })
