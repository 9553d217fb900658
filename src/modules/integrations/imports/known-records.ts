// What the lines of a slice refer to, looked up for all of them at once: records that were imported before,
// organizations, and earlier lines of the same file.
import type { IoContext } from '#kernel/data/context.ts'
import type { Entry } from './file-reading.ts'
import type { ImportRow, Kind } from './import.ts'
import { type ImportedRecord, imports, type Living } from './queries.ts'

export type KnownRecords = {
  /** Lines that are in the report already. */
  done: ReadonlySet<number>
  /** The line of this file that has an external id first. */
  lineOf: (externalId: string) => number | undefined
  imported: (kind: Kind, externalId: unknown) => ImportedRecord | undefined
  living: (organizationId: number) => Living | undefined
}

/** The kinds of records that lines name, by the fields that name them. */
const REFERENCES = {
  organizations: 'organization_external_id',
  entitlements: 'entitlement_external_id',
  invoices: 'invoice_external_id',
} as const
const REFERRED = ['organizations', 'entitlements', 'invoices'] as const

export async function knownFor(
  { read }: Pick<IoContext, 'read'>,
  { id, kind, source }: ImportRow,
  entries: readonly Entry[],
): Promise<KnownRecords> {
  const [first, last] = [entries[0]?.line ?? 0, entries.at(-1)?.lastLine ?? 0]
  const own = textsOf(entries, 'external_id')
  const wanted = [
    ...own.map((external_id) => ({ kind, external_id })),
    ...REFERRED.flatMap((of) => textsOf(entries, REFERENCES[of]).map((external_id) => ({ kind: of, external_id }))),
  ]
  const [done, lines, found] = await Promise.all([
    read(imports.linesDone(id, first, last)),
    read(imports.linesOf(id, own)),
    read(imports.found(source, wanted)),
  ])
  const given = entries.flatMap(({ values }) => idOf(values['organization_id']))
  const living = await read(
    imports.living([...given, ...found.flatMap(({ organization_id }) => organization_id ?? [])]),
  )
  const records = new Map(found.map((one) => [`${one.kind} ${one.external_id}`, one]))
  const firstLine = new Map(lines.map(({ external_id, line }) => [external_id, line]))
  for (const { line, values } of entries)
    for (const externalId of storableText(values['external_id']))
      if (!firstLine.has(externalId)) firstLine.set(externalId, line)
  const there = new Map(living.map((one) => [one.id, one]))
  return {
    done: new Set(done.map(({ line }) => line)),
    lineOf: (externalId) => firstLine.get(externalId),
    imported: (of, externalId) => records.get(`${of} ${String(externalId)}`),
    living: (organizationId) => there.get(organizationId),
  }
}

const textsOf = (entries: readonly Entry[], field: string): string[] => [
  ...new Set(entries.flatMap(({ values }) => storableText(values[field]))),
]

/** What the schema refuses is not looked for. */
const storableText = (value: unknown): string[] =>
  typeof value === 'string' && value.length <= 255 && !value.includes('\0') && value.isWellFormed() ? [value] : []

const idOf = (value: unknown): number[] => (typeof value === 'number' && Number.isSafeInteger(value) ? [value] : [])
