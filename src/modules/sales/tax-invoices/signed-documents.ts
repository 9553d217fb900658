// The documents that the authority signed, which the service's roles may add and read, never change
// (docs/decisions/0055).
import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { add } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { table } from '#kernel/data/table.ts'
import { AppError } from '#kernel/values/errors.ts'
import { Id, Timestamp } from '#kernel/values/schema.ts'

export const DOCUMENT_KINDS = ['invoice', 'cancellation'] as const

const SignedDocument = Type.Object({
  id: Id,
  organization_id: Id,
  tax_invoice_id: Id,
  kind: Type.Enum(DOCUMENT_KINDS),
  xml: Type.String(),
  sha256: Type.String(),
  created_at: Timestamp,
})

export const signedDocumentsTable = table('tax_invoice_documents', 'tax_invoice_document', SignedDocument, {
  masked: ['xml'],
})

const hashOf = (xml: string): string => createHash('sha256').update(xml, 'utf8').digest('hex')

type SignedXml = { kind: (typeof DOCUMENT_KINDS)[number]; xml: string }

export const keepSigned = (ctx: OrganizationContext, id: number, { kind, xml }: SignedXml): void =>
  add(ctx, signedDocumentsTable, { tax_invoice_id: id, kind, xml, sha256: hashOf(xml) })

/** 503 when the bytes are not those that the hash was made of. */
export function assertUntouched(id: number, { xml, sha256 }: { xml: string; sha256: string }): void {
  if (hashOf(xml) === sha256) return
  throw new AppError('SERVICE_UNAVAILABLE', {
    message: 'The signed document cannot be read',
    cause: new Error(`the signed document of tax invoice ${id} is not what was kept`),
  })
}
