// The import of a file of records that another system had (docs/interface/integrations.md).
import { listing, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import { Mapping } from './mapping.ts'
import { AnyOf, Closed, Id, Name, Nullable, Paging, Reference, Timestamp } from '#kernel/values/schema.ts'

export const KINDS = [
  'organizations',
  'members',
  'products',
  'entitlements',
  'licenses',
  'contracts',
  'subscriptions',
  'invoices',
  'payments',
  'tickets',
] as const
export type Kind = (typeof KINDS)[number]
const ImportKind = Type.Enum(KINDS, { description: 'What each line is', examples: ['organizations'] })

const FORMATS = ['csv', 'ndjson'] as const
const STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const
const ImportStatus = Type.Enum(STATUSES, {
  description:
    '`completed`: all lines were read, also where some were refused; `failed`: the file cannot be read on, ' +
    'see `problem`',
  examples: ['completed'],
})

export const OUTCOMES = ['created', 'unchanged', 'differs', 'refused'] as const
export type Outcome = (typeof OUTCOMES)[number]
const ImportOutcome = Type.Enum(OUTCOMES, {
  description:
    '`unchanged`: was imported before; `differs`: was imported before with other values, and was left as it ' +
    'is; `refused`: see `errors`',
  examples: ['created'],
})

const Source = Type.String({
  pattern: '^[a-z0-9][a-z0-9_.-]{0,49}$',
  maxLength: 50,
  description: 'The system that the records come from; external ids are unique in it',
  examples: ['whmcs'],
})
/** The id of a record in the system that it comes from. */
export const ExternalId = { ...Reference, examples: ['1042'] }

export const DELIMITERS = [',', ';', '\t'] as const

const layout = {
  delimiter: Type.Enum(DELIMITERS, { description: 'Of a CSV', examples: [';'] }),
  encoding: Type.Enum(['utf-8', 'windows-1252'], {
    description: 'Of a CSV; windows-1252 includes Latin-1',
    examples: ['utf-8'],
  }),
  decimal_separator: Type.Enum(['.', ','], { description: 'In the amounts of a CSV', examples: [','] }),
  date_format: Type.Enum(['yyyy-mm-dd', 'dd/mm/yyyy'], {
    description: 'Of the dates in a CSV',
    examples: ['dd/mm/yyyy'],
  }),
}

/** How a CSV is written, and its columns. */
export const Layout = Type.Object({ ...layout, columns: Type.Array(Type.String(), { examples: [['external_id']] }) })
export type Layout = Static<typeof Layout>

const { delimiter, encoding, decimal_separator, date_format } = layout
export const NewImport = Closed({
  kind: ImportKind,
  format: Type.Enum(FORMATS, { examples: ['csv'] }),
  source: Source,
  dry_run: Type.Optional(Type.Boolean({ description: 'Reports on each line, and writes nothing else' })),
  delimiter: Type.Optional({
    ...delimiter,
    description: 'Of a CSV; by default the one that its first line names or has',
  }),
  encoding: Type.Optional({ ...encoding, description: 'Of a CSV; utf-8 by default. windows-1252 includes Latin-1' }),
  decimal_separator: Type.Optional({ ...decimal_separator, description: 'In the amounts of a CSV; `.` by default' }),
  date_format: Type.Optional({ ...date_format, description: 'Of the dates in a CSV; yyyy-mm-dd by default' }),
  mapping: Type.Optional(
    Type.String({
      maxLength: 65_536,
      contentMediaType: 'application/json',
      contentSchema: Mapping,
      description: 'As JSON: which columns of the file are which fields. Without one they have the names of the fields',
      examples: ['{"columns":{"Client ID":"external_id","Company Name":"name"},"fixed":{"country":"BR"}}'],
    }),
  ),
})
export type NewImport = Static<typeof NewImport>

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [2] })

export const Import = Type.Object(
  {
    id: Id,
    kind: ImportKind,
    format: Type.Enum(FORMATS, { examples: ['csv'] }),
    source: Source,
    dry_run: Type.Boolean(),
    status: ImportStatus,
    problem: Nullable(Type.String({ examples: ['line 17: the cell has a quotation mark that is not closed'] })),
    file_name: Name,
    size: Type.Integer({ minimum: 1, description: 'Bytes', examples: [4096] }),
    sha256: Type.String({ examples: ['47dccf5b6e1c5f6a0f5e0c3f6f0c8c0d0f9d5a1f0a7b6c5d4e3f2a1b0c9d8e7f'] }),
    layout: Nullable({ ...Layout, description: 'Of a CSV; null for NDJSON' }),
    mapping: Nullable({ ...Mapping, description: 'Which columns of the file are which fields; null: by their names' }),
    rows: count('Lines that were looked at'),
    created: count('In a dry run those that would be created'),
    unchanged: count('Lines that were imported before'),
    differs: count('Lines that were imported before with other values'),
    refused: count('Lines that cannot be imported as they are'),
    invites: Nullable(
      Type.Enum(['sending', 'sent'], {
        description: 'Of the members that it created; null until they are to be told',
        examples: ['sent'],
      }),
    ),
    invited: count('Members that it created who have their invite'),
    created_by: Id,
    created_by_name: Type.String({ examples: ['Rita Alves'] }),
    created_at: Timestamp,
    updated_at: Timestamp,
    ended_at: Nullable(Timestamp),
  },
  { description: 'An import of records from another system' },
)
export type Import = Static<typeof Import>

/** With what the job needs: the file until the end, and how far it was read. */
export type ImportRow = Import & { storage_key: string | null; position: number; line: number }

export const ImportedRow = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: 'Of the file, from 1', examples: [2] }),
    external_id: Nullable(Type.String({ examples: ['1042'] })),
    outcome: ImportOutcome,
    errors: Nullable(
      Type.Record(Type.String(), Type.String(), {
        description: 'By field; `row` where it is about the whole line',
        examples: [{ cnpj: 'must be a CNPJ with the right check digits' }],
      }),
    ),
    organization_id: Nullable(Id),
    resource_id: Nullable({ ...Id, description: 'The record; null in a dry run, and for a line that was refused' }),
  },
  { description: 'What became of a line' },
)
export type ImportedRow = Static<typeof ImportedRow>

export const importListing = listing({ created_at: TIME, updated_at: TIME }, 'updated_at')
export const ImportFilters = Closed({
  ...Paging,
  ...importListing.parameters,
  kind: AnyOf(ImportKind),
  source: Type.Optional(Source),
  status: AnyOf(ImportStatus),
})
export type ImportFilters = Static<typeof ImportFilters>

export const RowFilters = Closed({ ...Paging, outcome: AnyOf(ImportOutcome) })
export type RowFilters = Static<typeof RowFilters>

export const ReportFilters = Closed({ outcome: Type.Optional(ImportOutcome) })
export type ReportFilters = Static<typeof ReportFilters>
