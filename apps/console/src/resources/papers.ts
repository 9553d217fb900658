// What was agreed, and the files of an organization.
import * as api from '@titular/sdk'
import { type Field, isOneOf, type Declaration, textOf } from './resource.ts'
import { COMPANIES, ENTITLEMENTS, HISTORY, NOTE } from './shared.ts'

const byStaff = { permission: 'contracts:write' } as const

const terms: readonly Field[] = [
  { field: 'title', isRequired: true, first: ({ title }) => title },
  { field: 'end_date', as: 'date', first: ({ end_date }) => end_date, clears: true },
  { field: 'notice_days', as: 'number', first: ({ notice_days }) => notice_days },
  { field: 'terms', as: 'long', first: ({ terms: given }) => given, clears: true },
  { field: 'notes', as: 'long', first: ({ notes }) => notes, clears: true },
]

export const contracts: Declaration = {
  organization: {
    list: api.listContracts,
    get: api.getContract,
    creates: {
      name: 'createContract',
      operation: api.createContract,
      ...byStaff,
      form: [
        { field: 'company', chooses: COMPANIES, first: () => 'entity_br' },
        { field: 'entitlement_id', chooses: ENTITLEMENTS },
        { field: 'start_date', as: 'date', isRequired: true },
        ...terms,
      ],
    },
  },
  all: { list: api.adminListContracts },
  titleOf: ({ title }) => textOf(title),
  columns: [
    { field: 'title' },
    { field: 'status', as: 'status' },
    { field: 'start_date', as: 'date' },
    { field: 'end_date', as: 'date' },
  ],
  details: [
    { field: 'notice_date', as: 'date' },
    { field: 'entitlement_code', as: 'code' },
    { field: 'company', as: 'value' },
    { field: 'terms' },
    { field: 'notes' },
  ],
  statuses: ['draft', 'active', 'suspended', 'expired', 'cancelled', 'renewed'],
  sorts: ['end_date', 'updated_at'],
  papers: [{ name: 'pdf', operation: api.downloadContractPdf, isBulk: true }],
  actions: [
    { name: 'updateContract', operation: api.updateContract, ...byStaff, form: terms },
    {
      name: 'updateContractStatus',
      operation: api.updateContractStatus,
      ...byStaff,
      form: [
        {
          field: 'status',
          chooses: { values: ['active', 'suspended', 'expired', 'cancelled'] },
          isRequired: true,
        },
        NOTE,
      ],
    },
    {
      name: 'renewContract',
      operation: api.renewContract,
      ...byStaff,
      isOffered: isOneOf('active', 'expired'),
      form: [
        { field: 'start_date', as: 'date' },
        ...terms.map((field): Field => (field.field === 'end_date' ? { ...field, isRequired: true } : field)),
      ],
    },
  ],
  sections: [{ name: 'history', list: api.listContractHistory, columns: HISTORY }],
}

const about: readonly Field[] = [
  { field: 'name', first: ({ name }) => name },
  {
    field: 'category',
    chooses: { values: ['contract', 'invoice', 'tax', 'technical', 'other'] },
    first: ({ category }) => category ?? 'other',
  },
  {
    field: 'visibility',
    chooses: { values: ['organization', 'readers', 'staff'] },
    first: ({ visibility }) => visibility,
  },
]

export const documents: Declaration = {
  organization: {
    list: api.listDocuments,
    get: api.getDocument,
    creates: {
      name: 'createDocument',
      operation: api.createDocument,
      form: [
        { field: 'file', as: 'file', isRequired: true },
        ...about,
        { field: 'entitlement_id', chooses: ENTITLEMENTS },
      ],
    },
  },
  all: { list: api.adminListDocuments },
  titleOf: ({ name }) => textOf(name),
  columns: [
    { field: 'name' },
    { field: 'category', as: 'value' },
    { field: 'version', as: 'number' },
    { field: 'size', as: 'bytes' },
    { field: 'updated_at', as: 'time' },
  ],
  details: [{ field: 'visibility', as: 'value' }, { field: 'content_type' }, { field: 'sha256', as: 'code' }],
  searches: true,
  sorts: ['updated_at'],
  papers: [{ name: 'download', operation: api.downloadDocument }],
  actions: [
    {
      name: 'createDocumentVersion',
      operation: api.createDocumentVersion,
      form: [{ field: 'file', as: 'file', isRequired: true }],
    },
    { name: 'updateDocument', operation: api.updateDocument, form: about },
    { name: 'deleteDocument', operation: api.deleteDocument, isDangerous: true },
  ],
  sections: [
    {
      name: 'versions',
      list: api.listDocumentVersions,
      columns: [
        { field: 'version', as: 'number' },
        { field: 'name' },
        { field: 'size', as: 'bytes' },
        { field: 'created_at', as: 'time' },
      ],
      papers: [
        {
          name: 'download',
          operation: api.downloadDocument,
          at: ({ id }, { version }) => ({ id, version }),
        },
      ],
    },
    {
      name: 'shares',
      list: api.listDocumentShares,
      columns: [
        { field: 'note' },
        { field: 'created_by_name' },
        { field: 'expires_at', as: 'time' },
        { field: 'revoked_at', as: 'time' },
        { field: 'access_count', as: 'number' },
      ],
      creates: {
        name: 'createDocumentShare',
        operation: api.createDocumentShare,
        form: [{ field: 'expires_at', as: 'time' }, { field: 'note' }],
        shows: ['url'],
      },
      actions: [
        {
          name: 'deleteDocumentShare',
          operation: api.deleteDocumentShare,
          at: ({ id }) => ({ share_id: id }),
          isOffered: ({ revoked_at }) => revoked_at === null,
          isDangerous: true,
        },
      ],
    },
    {
      name: 'accesses',
      list: api.listDocumentAccesses,
      columns: [
        { field: 'at', as: 'time' },
        { field: 'reader' },
        { field: 'reader_kind', as: 'value' },
        { field: 'version', as: 'number' },
        { field: 'ip', as: 'code' },
      ],
    },
  ],
}
