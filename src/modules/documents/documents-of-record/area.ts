// Documents of records: their common content, archiving and serving.
import { area } from '#http/manifest/area.ts'
import { archivedDocumentsTable } from './archived-document.ts'

export const documentsOfRecordArea = area({
  name: 'documents-of-record',
  description: 'Documents of records: rendered while these change, archived once they are final.',
  tables: [archivedDocumentsTable.name, 'number_series'],
})
