// A document of the organization: its record, who may read it, and the bodies that create and change it.
import { acrossFilters } from '#kernel/data/lists/across.ts'
import { Type, type Static } from 'typebox'
import { RESOURCES } from '#modules/documents/documents-of-record/archived-document.ts'
import { listing, TIME } from '#kernel/data/lists/listing.ts'
import { table } from '#kernel/data/table.ts'
import { externalIdFilter, givenExternalId, givenIntegration, integration } from '#kernel/values/integration.ts'
import { AnyOf, Closed, Id, Name, Nullable, Paging, SearchFilter, Timestamp } from '#kernel/values/schema.ts'
import { LANGUAGES } from '#texts/language.ts'

export const CATEGORIES = ['contract', 'invoice', 'tax', 'technical', 'other'] as const
const Category = Type.Enum(CATEGORIES, { examples: ['technical'] })
export type Category = (typeof CATEGORIES)[number]

/** What the law wants kept: customers neither delete such documents nor move them to another category. */
export const KEPT: readonly Category[] = ['contract', 'tax']

export const VISIBILITIES = ['organization', 'readers', 'staff'] as const
const Visibility = Type.Enum(VISIBILITIES, {
  description:
    'Who may read it: all who hold the scope; its readers, the uploader and the owner; the vendor’s staff only',
  examples: ['organization'],
})

const ReaderIds = Type.Array(Id, { description: 'Users, for the visibility `readers`', examples: [[7]] })

/** The columns of an uploaded document. */
export const UploadedDocument = Type.Object({
  id: Id,
  organization_id: Id,
  name: Type.String({ examples: ['Network plan.pdf'] }),
  category: Category,
  visibility: Visibility,
  reader_ids: ReaderIds,
  entitlement_id: Nullable(Id),
  contract_id: Nullable(Id),
  version: Type.Integer({ minimum: 1, description: 'The current one', examples: [1] }),
  content_type: Type.String({ description: 'Detected from the content', examples: ['application/pdf'] }),
  size: Type.Integer({ examples: [48_213] }),
  sha256: Type.String({ examples: ['b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'] }),
  uploaded_by: Nullable(Id),
  by_staff: Type.Boolean({ description: 'Provided by the vendor, so that only staff change it' }),
  ...integration,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type UploadedDocument = Static<typeof UploadedDocument>

export const documentsTable = table('documents', 'document', UploadedDocument, {
  extra: ['deleted_at'],
  times: ['deleted_at'],
  search: ['name', 'external_id'],
})

export const SOURCES = ['uploaded', 'archived'] as const
const Source = Type.Enum(SOURCES, {
  description: '`archived`: the service’s own document of a record, which never changes',
  examples: ['uploaded'],
})
const DocumentLanguage = Type.Enum(LANGUAGES, { examples: ['pt-BR'] })

const RecordOfDocument = Type.Object(
  {
    resource: Type.Enum(RESOURCES, { examples: ['invoice'] }),
    id: Id,
    version: Type.String({ description: 'The state of the record when it was archived', examples: ['paid'] }),
  },
  { description: 'The record that an archived document belongs to' },
)

export const Document = Type.Object(
  {
    ...UploadedDocument.properties,
    source: Source,
    record: Nullable(RecordOfDocument),
    language: Nullable(DocumentLanguage),
  },
  { description: 'A document: uploaded, or archived by the service' },
)
export type Document = Static<typeof Document>

/** An uploaded document as the list has it, which has the archived ones too. */
export const asListed = (document: UploadedDocument): Document => ({
  ...document,
  source: 'uploaded',
  record: null,
  language: null,
})

const links = {
  entitlement_id: Type.Optional(Id),
  contract_id: Type.Optional(Id),
}

/** The fields beside the file, which multipart/form-data sends as text. */
export const NewDocument = Closed({
  organization_id: Type.Optional(Id),
  name: Type.Optional({ ...Name, description: 'That of the file when absent' }),
  category: Type.Optional({ ...Category, default: 'other' }),
  visibility: Type.Optional({ ...Visibility, default: 'organization' }),
  reader_ids: Type.Optional(
    Type.String({
      pattern: '^[1-9]\\d{0,14}(,[1-9]\\d{0,14}){0,99}$',
      description: 'Users, separated by commas, for the visibility `readers`',
      examples: ['7,12'],
    }),
  ),
  ...givenExternalId,
  ...links,
})
export type NewDocument = Static<typeof NewDocument>

export const DocumentChange = Closed({
  organization_id: Type.Optional(Id),
  name: Type.Optional(Name),
  category: Type.Optional(Category),
  visibility: Type.Optional(Visibility),
  reader_ids: Type.Optional({ ...ReaderIds, maxItems: 100, uniqueItems: true }),
  entitlement_id: Type.Optional(Nullable(Id)),
  contract_id: Type.Optional(Nullable(Id)),
  ...givenIntegration,
})
export type DocumentChange = Static<typeof DocumentChange>

export const documentListing = listing({ created_at: TIME, updated_at: TIME }, 'updated_at')
export const DocumentFilters = Closed({
  ...Paging,
  ...documentListing.parameters,
  category: AnyOf(Category),
  ...externalIdFilter,
  search: SearchFilter('the name or the external id'),
  ...links,
  source: Type.Optional(Source),
  language: Type.Optional({ ...DocumentLanguage, description: 'Of archived documents, most of which are in both' }),
})
export type DocumentFilters = Static<typeof DocumentFilters>
const { source: _source, language: _language, ...ofUploaded } = DocumentFilters.properties
export const AdministratorsDocumentFilters = acrossFilters(ofUploaded)
export type AdministratorsDocumentFilters = Static<typeof AdministratorsDocumentFilters>
