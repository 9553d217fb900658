// Uploads: their limits, and the file store.
import { needed } from './problems.ts'
import { httpUrl, number, oneOf, text } from './readers.ts'
import type { ValuesOf, Variables } from './variable.ts'

export const FILES = {
  maxBytes: {
    name: 'FILES_MAX_BYTES',
    meaning: 'Size of one upload',
    fallback: '104857600',
    read: number(1, 1_073_741_824),
    visibleTo: 'areas',
  },
  quotaBytes: {
    name: 'FILES_QUOTA_BYTES',
    meaning: 'What the files of one organization may take in all',
    fallback: '10737418240',
    read: number(1, Number.MAX_SAFE_INTEGER),
  },
  quotaCount: {
    name: 'FILES_QUOTA_COUNT',
    meaning: 'Files that one organization may keep',
    fallback: '10000',
    read: number(1, 10_000_000),
  },
} as const satisfies Variables

export const FILE_STORE = {
  kind: {
    name: 'FILES',
    meaning: 'Where uploads are kept: `local`, a directory under DATA_DIR, or `s3`, an S3-compatible store',
    fallback: 'local',
    read: oneOf('local', 's3'),
  },
  endpoint: {
    name: 'FILES_S3_ENDPOINT',
    meaning: 'Address of the store, such as https://s3.sa-east-1.amazonaws.com',
    read: httpUrl,
  },
  region: { name: 'FILES_S3_REGION', meaning: 'Its region', fallback: 'us-east-1', read: text },
  bucket: { name: 'FILES_S3_BUCKET', meaning: 'The bucket; it must exist and be private', read: text },
  accessKey: {
    name: 'FILES_S3_ACCESS_KEY',
    meaning: 'Access key with rights to read, write and delete in it',
    read: text,
  },
  secretKey: { name: 'FILES_S3_SECRET_KEY', meaning: 'Its secret', read: text, secret: true },
} as const satisfies Variables

export type FileStore =
  | { kind: 'local' }
  | { kind: 's3'; endpoint: string; region: string; bucket: string; accessKey: string; secretKey: string }

export function fileStoreOf(values: ValuesOf<typeof FILE_STORE>): FileStore {
  if (values.kind === 'local') return { kind: 'local' }
  const properties = ['endpoint', 'bucket', 'accessKey', 'secretKey'] as const
  const account = needed(FILE_STORE, values, { properties, because: 'FILES is s3' })
  return { kind: 's3', region: values.region, ...account }
}
