// All SQL of archived documents.
import { raw, sql } from '#kernel/values/sql.ts'
import { ArchivedDocument, type ArchivedResource } from './archived-document.ts'

const columns = raw(Object.keys(ArchivedDocument.properties).join(', '))

export const archivedDocuments = {
  /** Every version in every language: a few rows. */
  of: (org: number, resource: ArchivedResource, id: number) => sql<ArchivedDocument>`
    select ${columns} from filed_documents
     where organization_id = ${org} and resource = ${resource} and resource_id = ${id} order by id`,
}
