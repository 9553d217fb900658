// The settings of uploads and where they are kept (rows of src/config/settings.ts).
import { httpUrl, number, oneOf, text } from './setting-readers.ts'

export const FILE_SETTINGS = {
  FILES: {
    meaning: 'Where uploads are kept: `local`, a directory under DATA_DIR, or `s3`, an S3-compatible store',
    fallback: 'local',
    read: oneOf('local', 's3'),
  },
  FILES_S3_ENDPOINT: { meaning: 'Address of the store, such as https://s3.sa-east-1.amazonaws.com', read: httpUrl },
  FILES_S3_REGION: { meaning: 'Its region', fallback: 'us-east-1', read: text },
  FILES_S3_BUCKET: { meaning: 'The bucket; it must exist and be private', read: text },
  FILES_S3_ACCESS_KEY: { meaning: 'Access key with rights to read, write and delete in it', read: text },
  FILES_S3_SECRET_KEY: { meaning: 'Its secret', read: text, secret: true },
  FILES_MAX_BYTES: { meaning: 'Size of one upload', fallback: '104857600', read: number(1, 1_073_741_824) },
  FILES_QUOTA_BYTES: {
    meaning: 'What the files of one organization may take in all',
    fallback: '10737418240',
    read: number(1, Number.MAX_SAFE_INTEGER),
  },
  FILES_QUOTA_COUNT: {
    meaning: 'Files that one organization may keep',
    fallback: '10000',
    read: number(1, 10_000_000),
  },
}
