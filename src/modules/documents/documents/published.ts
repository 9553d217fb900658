// What customers see of the events of documents: of those that everybody with the scope may read. A feed or an endpoint
// is nobody in particular, so that it gets nothing of the others.
import { publishedResource } from '#kernel/data/published.ts'
import { sql } from '#kernel/values/sql.ts'
import { documentsTable, UploadedDocument } from './document.ts'

export const publishedDocuments = publishedResource(documentsTable, {
  scopes: ['documents'],
  record: UploadedDocument,
  isVisible: ({ visibility }) => visibility === 'organization',
  linkedCodes: (of) => sql`
    select n.code from entitlements n
     where ${of('n.organization_id')} and n.id = (e.data ->> 'entitlement_id')::bigint`,
  events: {
    created: 'A document was uploaded.',
    updated: 'A field of a document changed, or it has a new version.',
    deleted: 'A document was deleted.',
  },
})
