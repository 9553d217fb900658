// Releases of what a customer uses.
import * as api from '@titular/sdk'
import { type Field, isOneOf, type Declaration, textOf } from './resource.ts'

const byStaff = { permission: 'downloads:write' } as const

const release: readonly Field[] = [
  { field: 'version', isRequired: true, first: ({ version }) => version },
  { field: 'channel', chooses: { values: ['stable', 'beta'] }, first: ({ channel }) => channel ?? 'stable' },
  { field: 'release_notes', as: 'long', first: ({ release_notes }) => release_notes, clears: true },
]

export const downloads: Declaration = {
  organization: {
    list: api.listDownloads,
    get: api.getDownload,
    creates: {
      name: 'createDownload',
      operation: api.createDownload,
      ...byStaff,
      form: [
        {
          field: 'product_id',
          isRequired: true,
          chooses: { list: api.listProducts, labelOf: ({ name }) => textOf(name) },
        },
        ...release,
      ],
    },
  },
  titleOf: ({ product_name, version }) => `${textOf(product_name)} ${textOf(version)}`,
  columns: [
    { field: 'product_name' },
    { field: 'version' },
    { field: 'channel', as: 'value' },
    { field: 'status', as: 'status' },
    { field: 'released_at', as: 'time' },
  ],
  details: [{ field: 'release_notes' }, { field: 'yank_reason' }],
  statuses: ['draft', 'published', 'yanked'],
  filters: [{ field: 'platform', values: ['linux', 'macos', 'windows', 'any'] }],
  actions: [
    { name: 'updateDownload', operation: api.updateDownload, ...byStaff, form: release },
    {
      name: 'publishDownload',
      operation: api.publishDownload,
      ...byStaff,
      isOffered: isOneOf('draft'),
      isMain: true,
    },
    {
      name: 'yankDownload',
      operation: api.yankDownload,
      ...byStaff,
      isOffered: isOneOf('published'),
      form: [{ field: 'reason', as: 'long', isRequired: true }],
      isDangerous: true,
    },
    { name: 'restoreDownload', operation: api.restoreDownload, ...byStaff, isOffered: isOneOf('yanked') },
    {
      name: 'deleteDownload',
      operation: api.deleteDownload,
      ...byStaff,
      isOffered: isOneOf('draft'),
      isDangerous: true,
    },
  ],
  sections: [
    {
      name: 'files',
      rows: 'files',
      columns: [
        { field: 'file_name' },
        { field: 'platform', as: 'value' },
        { field: 'architecture', as: 'value' },
        { field: 'size', as: 'bytes' },
        { field: 'sha256', as: 'code' },
      ],
      creates: {
        name: 'createDownloadFile',
        operation: api.createDownloadFile,
        ...byStaff,
        form: [
          { field: 'file', as: 'file', isRequired: true },
          {
            field: 'platform',
            chooses: { values: ['any', 'linux', 'macos', 'windows'] },
            isRequired: true,
            first: () => 'any',
          },
          { field: 'architecture', chooses: { values: ['any', 'x64', 'arm64'] }, isRequired: true, first: () => 'any' },
        ],
      },
      actions: [
        {
          name: 'downloadFile',
          operation: api.createDownloadLink,
          isReading: true,
          bodyOf: ({ id }) => ({ file_id: id }),
          follows: 'url',
          isMain: true,
        },
        {
          name: 'deleteDownloadFile',
          operation: api.deleteDownloadFile,
          ...byStaff,
          at: ({ id }) => ({ file_id: id }),
          isDangerous: true,
        },
      ],
    },
    {
      name: 'downloads',
      list: api.adminListDownloadCounts,
      permission: 'downloads:read',
      columns: [
        { field: 'organization_name' },
        { field: 'file_name' },
        { field: 'downloads', as: 'number' },
        { field: 'last_downloaded_at', as: 'time' },
      ],
    },
  ],
}
