// Renders a document as a PDF: each kind has its own layout.
import type { Danfse, DocumentTemplate } from '#ports/documents.ts'
import { renderDanfse } from './render-danfse.ts'
import { renderTemplate } from './render-template.ts'

/** The bytes of the document. */
export const renderDocument = async (document: DocumentTemplate | Danfse): Promise<Uint8Array> =>
  'kind' in document ? renderDanfse(document) : renderTemplate(document)
