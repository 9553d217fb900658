// The files of a tax invoice: the authority's XML byte by byte, and the facts that its PDF (DANFSe) is made from.
import type { IoContext } from '#kernel/data/context.ts'
import { type Recipient, recipientOf } from '#modules/documents/documents-of-record/parties.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import { type Detail, type KeptXml, taxInvoices } from './queries.ts'
import { assertUntouched } from './signed-documents.ts'

export const XML = 'application/xml'

type AuthorizedXml = { accessKey: string; xml: string; sha256: string }

const authorized = (found: KeptXml | undefined): AuthorizedXml => {
  if (!found) throw notFound()
  const { id, status, access_key, xml, sha256 } = found
  if (access_key === null || xml === null || sha256 === null)
    throw conflict('status_not_allowed', `A tax invoice that is ${status} was never issued`)
  assertUntouched(id, { xml, sha256 })
  return { accessKey: access_key, xml, sha256 }
}

export const taxInvoiceXml = (org: number, id: number): ReadPlan<AuthorizedXml> =>
  parts([taxInvoices.xmlOf(org, id)], ([[found]]) => authorized(found))

export const xmlFile = async ({ accessKey, xml, sha256 }: AuthorizedXml): Promise<FileAnswer> => ({
  content: Buffer.from(xml, 'utf8'),
  sha256,
  contentType: XML,
  fileName: `NFSe-${accessKey}.xml`,
})

export const taxInvoiceXmlWithin = async (io: IoContext, id: number): Promise<FileAnswer> =>
  xmlFile(authorized((await io.read(taxInvoices.xmlOf(io.organizationId ?? 0, id)))[0]))

/** For the PDF: its content comes from the XML, the mark of a cancellation from the record. */
export type TaxInvoiceFacts = { taxInvoice: Detail; xml: string; recipient: Recipient }

export const taxInvoiceFacts = (org: number, id: number): ReadPlan<TaxInvoiceFacts> =>
  parts(
    [taxInvoices.byId(org, id), taxInvoices.xmlOf(org, id), recipientOf(org)],
    ([[taxInvoice], [found], [recipient]]) => {
      if (!taxInvoice || !recipient) throw notFound()
      return { taxInvoice, xml: authorized(found).xml, recipient }
    },
  )
