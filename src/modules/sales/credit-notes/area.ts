// Credit notes (docs/interface/sales.md, Credit notes).
import { area } from '#http/manifest/area.ts'
import { sql } from '#kernel/values/sql.ts'
import { creditNoteArchiving } from './archive.ts'
import { creditNotesTable } from './credit-note.ts'
import { publishedCreditNotes } from './published.ts'
import { creditNoteRoutes } from './routes.ts'

export const creditNotesArea = area({
  name: 'credit-notes',
  description: 'Corrections of finalized invoices.',
  routes: creditNoteRoutes,
  ...creditNoteArchiving,
  tables: [creditNotesTable.name],
  published: [publishedCreditNotes],
  searchable: [{ scope: 'finances', table: creditNotesTable, label: sql`t.number` }],
})
