// What a person has across organizations (docs/interface/messages.md, Notices).
import { area } from '#http/manifest/area.ts'
import type { Action } from '#http/manifest/actions.ts'
import { forgetEntries } from './forget-entries.ts'
import type { NoticeKind } from './notice-kind.ts'
import { meRoutes } from './routes.ts'

export const meArea = (kinds: readonly NoticeKind[], actions: readonly Action[]) =>
  area({
    name: 'me',
    description: 'The caller’s inbox, which notices they get, and what waits for them.',
    routes: meRoutes(kinds, actions),
    jobs: [forgetEntries],
    tables: ['inbox_entries', 'notice_preferences'],
  })
