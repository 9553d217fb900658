// Documents of an organization (spec 2.17).
import { area } from '#http/manifest/area.ts'
import { sql } from '#kernel/values/sql.ts'
import { documentsTable } from './document.ts'
import { documentSharesTable } from './document-share.ts'
import { documentVersionsTable } from './document-version.ts'
import { publishedDocuments } from './published.ts'
import { documentRoutes } from './routes.ts'

export const documentsArea = area({
  name: 'documents',
  description: 'Documents that are uploaded, and those that the service archives by itself.',
  routes: documentRoutes,
  tables: [documentsTable.name, documentVersionsTable.name, documentSharesTable.name, 'document_accesses'],
  published: [publishedDocuments],
  searchable: [{ scope: 'documents', table: documentsTable, label: sql`t.name` }],
})
