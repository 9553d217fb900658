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
  },
}
