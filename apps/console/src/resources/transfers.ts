// What comes in and goes out as files: imports from other systems, and exports.
import * as api from '@titular/sdk'
import { EXPORT_SCOPES, exportName, mayExport } from './export-sources.ts'
import { type Field, isOneOf, type Declaration, type Item, textOf, type Viewer, type Wording } from './resource.ts'

/** What an import brings, and the scopes that whoever brings it needs. */
const IMPORT_SCOPES = {
  organizations: ['organization'],
  members: ['organization'],
  products: ['catalogue'],
  entitlements: ['entitlements'],
  licenses: ['licenses'],
  contracts: ['contracts'],
  subscriptions: ['orders', 'entitlements'],
  invoices: ['finances'],
  payments: ['finances'],
  tickets: ['tickets'],
} as const

type ImportKind = keyof typeof IMPORT_SCOPES

const isKind = (name: string): name is ImportKind => Object.hasOwn(IMPORT_SCOPES, name)
const IMPORT_KINDS = Object.keys(IMPORT_SCOPES).filter(isKind)

export const importKindsOf = (may: Viewer['may']): readonly ImportKind[] =>
  IMPORT_KINDS.filter((kind) => IMPORT_SCOPES[kind].every((scope) => may(`${scope}:write`)))

const isGoingOn = isOneOf('queued', 'running')

export const imports: Declaration = {
  all: { list: api.adminListImports, get: api.adminGetImport },
  titleOf: ({ file_name }) => textOf(file_name),
  columns: [
    { field: 'file_name' },
    { field: 'kind', as: 'value' },
    { field: 'source' },
    { field: 'status', as: 'status' },
    { field: 'dry_run', as: 'yesNo' },
    { field: 'rows', as: 'number' },
    { field: 'created', as: 'number' },
    { field: 'refused', as: 'number' },
    { field: 'created_at', as: 'time' },
  ],
  details: [
    { field: 'unchanged', as: 'number' },
    { field: 'differs', as: 'number' },
    { field: 'problem' },
    { field: 'format', as: 'value' },
    { field: 'size', as: 'bytes' },
    { field: 'invites', as: 'value' },
    { field: 'invited', as: 'number', of: ({ invites, invited }) => (invites ? invited : null) },
    { field: 'created_by_name' },
    { field: 'ended_at', as: 'time' },
    { field: 'mapping', as: 'json' },
  ],
  isRunning: (record) => isGoingOn(record) || record['invites'] === 'sending',
  statuses: ['queued', 'running', 'completed', 'failed', 'cancelled'],
  filters: [{ field: 'kind', values: IMPORT_KINDS }],
  sorts: ['created_at', 'updated_at'],
  makes: { name: 'createImport', screen: 'new-import', isOffered: ({ may }) => importKindsOf(may).length > 0 },
  papers: [{ name: 'report', operation: api.adminDownloadImportReport }],
  actions: [
    { name: 'cancelImport', operation: api.adminCancelImport, isMine: true, isOffered: isGoingOn, isDangerous: true },
    {
      name: 'inviteImport',
      operation: api.adminInviteImport,
      permission: 'organization:write',
      isOffered: (record) => record['kind'] === 'members' && record['dry_run'] === false && isEnded(record),
      isMain: true,
    },
  ],
  sections: [
    {
      name: 'rows',
      list: api.adminListImportRows,
      columns: [
        { field: 'line', as: 'number' },
        { field: 'external_id', as: 'code' },
        { field: 'outcome', as: 'value' },
        { field: 'errors', of: sentencesOf },
        { field: 'resource_id', as: 'code' },
      ],
    },
  ],
}

function isEnded(record: Item): boolean {
  return !isGoingOn(record) && record['invites'] === null
}

/** Each field with its sentence. */
function sentencesOf({ errors }: Item): readonly string[] | null {
  if (typeof errors !== 'object' || errors === null) return null
  return Object.entries(errors).map(([field, sentence]) => `${field}: ${textOf(sentence)}`)
}

const nameOfExport = ({ source }: Item, wording: Wording): string => exportName(textOf(source), wording)

export const exportFormat: Field = {
  field: 'format',
  isRequired: true,
  chooses: { values: ['csv-br', 'csv', 'ndjson'] },
  first: () => 'csv-br',
}

export const exports: Declaration = {
  all: {
    list: api.adminListExports,
    get: api.adminGetExport,
    creates: {
      name: 'createExport',
      operation: api.adminCreateExport,
      isMine: true,
      form: [
        {
          field: 'source',
          isRequired: true,
          chooses: { values: Object.keys(EXPORT_SCOPES), nameOf: exportName },
          offers: (source, _none, viewer) => mayExport(source, viewer),
        },
        exportFormat,
      ],
    },
  },
  titleOf: nameOfExport,
  columns: [
    { field: 'source', of: nameOfExport },
    { field: 'format', as: 'value' },
    { field: 'status', as: 'status' },
    { field: 'rows', as: 'number' },
    { field: 'size', as: 'bytes' },
    { field: 'created_at', as: 'time' },
    { field: 'expires_at', as: 'time' },
  ],
  details: [
    { field: 'problem' },
    { field: 'filters', as: 'json' },
    { field: 'created_by_name' },
    { field: 'ended_at', as: 'time' },
  ],
  isRunning: isGoingOn,
  downloads: ({ url }) => textOf(url),
}
