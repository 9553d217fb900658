// What makes documents of records, and archives them.
import { area } from '#kernel/area.ts'
import { archivedDocumentsTable } from './archived-document.ts'

export const documentsOfRecordArea = area({
  name: 'documents-of-record',
  description: 'Documents of records: rendered while these change, archived once they are final.',
  tables: [archivedDocumentsTable.name, 'number_series'],
})
