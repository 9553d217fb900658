// Documents: files, and what they are attached to.
import type { Module } from '#http/manifest/module.ts'
import { documentsOfRecordArea } from './documents-of-record/area.ts'
import { documentsArea } from './documents/area.ts'
import { filesArea } from './files/area.ts'
import { documentsReasons } from './reasons.ts'

export const documents: Module = {
  name: 'documents',
  areas: [documentsArea, documentsOfRecordArea, filesArea],
  reasons: documentsReasons,
  erasure: {
    working: ['document_accesses', 'document_shares', 'document_versions', 'documents'],
    fiscal: ['filed_documents'],
    people: {
      'documents.uploaded_by': { exports: 'reference' },
      'document_versions.uploaded_by': { exports: 'row' },
      'document_accesses.user_id': { exports: 'row', erased: { reader: 'erased', ip: null } },
      'document_shares.created_by': { exports: 'row', erased: { created_by_name: 'erased' } },
    },
  },
}
