// Each kind of document has its own way onto paper.
import type { Danfse, Sheet } from '#ports/documents.ts'
import { drawDanfse } from './danfse.ts'
import { drawSheet } from './sheet.ts'

/** The bytes of the document. */
export const draw = async (document: Sheet | Danfse): Promise<Uint8Array> =>
  'kind' in document ? drawDanfse(document) : drawSheet(document)
