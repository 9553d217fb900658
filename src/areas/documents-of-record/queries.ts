// All SQL about filed documents.
import { raw, sql } from '#kernel/data/sql.ts'
import { FiledDocument, type FiledResource } from './archived-document.ts'

const columns = raw(Object.keys(FiledDocument.properties).join(', '))

export const filedDocuments = {
  /** Every version in every language: a handful. */
  of: (org: number, resource: FiledResource, id: number) => sql<FiledDocument>`
    select ${columns} from filed_documents
     where organization_id = ${org} and resource = ${resource} and resource_id = ${id} order by id`,
}
