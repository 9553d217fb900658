// The archived document of a tax invoice: its DANFSe when it is issued, and again with a mark when it is cancelled or
// replaced.
import type { Archivable } from '#modules/documents/documents-of-record/archive-document.ts'
import type { DanfseMark } from './danfse/danfse.ts'
import { PDF } from '#modules/documents/documents-of-record/parties.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { AppError } from '#kernel/values/errors.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import type { Danfse } from '#ports/documents.ts'
import { type TaxInvoiceFacts, taxInvoiceFacts } from './document.ts'
import { taxInvoicesTable } from './tax-invoice.ts'

const markOf = ({ status, substatus }: TaxInvoiceFacts['taxInvoice']): DanfseMark => {
  if (status !== 'cancelled') return 'valid'
  return substatus === 'substituted' ? 'replaced' : 'cancelled'
}

/**
 * 409 for an XML that our DANFSe cannot render; the XML itself can still be downloaded. The parser is read with the
 * first document.
 */
async function renderable(xml: string, mark: DanfseMark): Promise<Danfse> {
  const [{ danfseOf }, { UnreadableXml }] = await Promise.all([
    import('./danfse/danfse.ts'),
    import('#kernel/values/text/xml.ts'),
  ])
  try {
    return danfseOf(xml, mark)
  } catch (cause) {
    if (!(cause instanceof UnreadableXml)) throw cause
    const why = cause.message.slice(0, 200)
    throw new AppError('CONFLICT', {
      reason: 'document_unreadable',
      message: `The XML cannot be rendered as PDF, only downloaded: it ${why}`,
      cause,
    })
  }
}

async function danfsePdf({ ports }: IoContext, { taxInvoice, xml }: TaxInvoiceFacts): Promise<FileAnswer> {
  const danfse = await renderable(xml, markOf(taxInvoice))
  const bytes = await ports.documents.render(danfse)
  return {
    content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    contentType: PDF,
    fileName: `DANFSe-${danfse.accessKey}.pdf`,
  }
}

export const taxInvoiceDocument: Archivable<TaxInvoiceFacts> = {
  resource: 'tax_invoice',
  events: [taxInvoicesTable.events.issued, taxInvoicesTable.events.cancelled],
  facts: taxInvoiceFacts,
  make: danfsePdf,
  // A Brazilian fiscal document has one language.
  language: () => 'pt-BR',
  languages: ['pt-BR'],
  version: ({ taxInvoice }) => {
    const mark = markOf(taxInvoice)
    return mark === 'valid' ? 'issued' : mark
  },
}
