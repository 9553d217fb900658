// What of a tax invoice is filed: its DANFSe when it is issued, and again with the mark that it counts no more.
import type { Fileable } from '#areas/filed-documents/filing.ts'
import { danfseOf } from '#areas/sheets/danfse.ts'
import { PDF } from '#areas/sheets/parties.ts'
import type { Outside } from '#kernel/context.ts'
import type { FileAnswer } from '#kernel/files.ts'
import { type TaxInvoiceFacts, taxInvoiceFacts } from './document.ts'

const markOf = ({ status, substatus }: TaxInvoiceFacts['taxInvoice']) => {
  if (status !== 'cancelled') return 'valid'
  return substatus === 'substituted' ? 'replaced' : 'cancelled'
}

async function danfsePdf({ ports }: Outside, { taxInvoice, xml }: TaxInvoiceFacts): Promise<FileAnswer> {
  const danfse = danfseOf(xml, markOf(taxInvoice))
  const bytes = await ports.documents.render(danfse)
  return {
    content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    contentType: PDF,
    fileName: `DANFSe-${danfse.accessKey}.pdf`,
  }
}

export const taxInvoiceDocument: Fileable<TaxInvoiceFacts> = {
  resource: 'tax_invoice',
  events: ['issued', 'cancelled'],
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
