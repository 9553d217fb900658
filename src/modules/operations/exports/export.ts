// The export of a report or a list of staff: a file that a job writes.
import { type Static, Type } from 'typebox'
import { Closed, Id, Name, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'
import { type TableFormat, TableFormatField } from './table-file.ts'

/** The file is removed so many days after it was written. */
export const KEPT_DAYS = 7
/** A person has at most so many that are not written yet. */
export const MOST_UNFINISHED = 10

const STATUSES = ['queued', 'running', 'completed', 'failed', 'expired'] as const

const FilterFields = Type.Record(
  Type.String({ pattern: '^[a-z_]+(\\[[a-z]+\\])?$' }),
  Type.Union([Type.String({ maxLength: 200 }), Type.Integer(), Type.Boolean()]),
  { description: 'The filters of the report or list, as in its query', examples: [{ month_from: '2026-01' }] },
)
/** Checked against the source's own. */
export type ExportFilters = Static<typeof FilterFields>

const WHAT = 'What is exported: the path of the report or list below `/admin`'
const Source = Type.String({
  maxLength: 100,
  description: WHAT,
  examples: ['reports/billed'],
})

const shape = {
  id: Id,
  source: Source,
  filters: FilterFields,
  format: TableFormatField,
  status: Type.Enum(STATUSES, {
    description: '`failed`: see `problem`; `expired`: the file was removed',
    examples: ['completed'],
  }),
  problem: Nullable(Type.String({ examples: ['The person who asked for it may not read it any more'] })),
  rows: Nullable(Type.Integer({ minimum: 0, examples: [1200] })),
  size: Nullable(Type.Integer({ minimum: 0, description: 'In bytes', examples: [98_304] })),
  created_by: Id,
  created_by_name: Name,
  created_at: Timestamp,
  updated_at: Timestamp,
  ended_at: Nullable(Timestamp),
  expires_at: Nullable({ ...Timestamp, description: 'When the file is removed' }),
}

export const Export = Type.Object(shape, { description: 'A report or list as a file' })
export type Export = Static<typeof Export>

export const ExportWithLink = Type.Object(
  {
    ...shape,
    url: Nullable(
      Type.String({
        description: 'Of the file, once it is written; needs no credentials',
        examples: ['https://api.acme.example/api/v1/files/0.7.1795000000.c2ln'],
      }),
    ),
    url_expires_at: Nullable(Timestamp),
  },
  { description: 'An export with the link to its file' },
)
export type ExportWithLink = Static<typeof ExportWithLink>

/** What the job needs besides. */
export type WaitingExport = Export & { language: string }

export const ExportPaging = Closed(Paging)

export type NewExport = { source: string; filters?: ExportFilters; format: TableFormat }

export const newExport = (sources: readonly string[]) =>
  Type.Unsafe<NewExport>(
    Closed({
      source: Type.Enum([...sources], { description: WHAT, examples: ['orders'] }),
      filters: Type.Optional(FilterFields),
      format: TableFormatField,
    }),
  )
