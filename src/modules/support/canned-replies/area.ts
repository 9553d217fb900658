// The vendor's texts for comments on tickets (docs/interface/support.md, Canned replies).
import { area } from '#http/manifest/area.ts'
import { cannedReplyRoutes } from './routes.ts'

export const cannedRepliesArea = area({
  name: 'canned-replies',
  description: 'The vendor’s texts for comments on tickets, in two languages.',
  routes: cannedReplyRoutes,
  tables: ['canned_replies'],
})
