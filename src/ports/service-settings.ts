// The settings of the vendor about what customers and staff get of it: who is mailed, how long links and license files
// are good for, how much an organization may keep.
import { Type } from 'typebox'
import { isMailAddress } from '#kernel/values/internet-addresses.ts'
import { declared } from './setting-declaration.ts'

const BOTH = ['vendor'] as const

export const SERVICE_SETTINGS = {
  support_email: declared({
    of: BOTH,
    needs: 'settings',
    schema: Type.String({
      maxLength: 254,
      pattern: '^$|^[^"@\\s]+@[^@\\[\\s]+$',
      description:
        'Address that gets a mail for each ticket that a customer opens, each request for a quote, each drafted ' +
        'renewal, deadlines of tickets without an assignee, and missed ones; empty: all but the tickets go to all ' +
        'administrators',
      examples: ['support@vendor.example'],
    }),
    problem: (address) => (address === '' || isMailAddress(address) ? null : 'must be an e-mail address'),
    variables: ['SUPPORT_EMAIL'],
    first: ({ supportEmail }) => supportEmail ?? '',
  }),
  new_device_mails: declared({
    of: BOTH,
    needs: 'settings',
    schema: Type.Enum(['all', 'not_sso', 'none'], {
      description:
        'Whether a sign-in from a new device is mailed to its person: `all`; `not_sso`: not one by single sign-on, ' +
        'whose provider may do so itself; `none`',
      examples: ['all'],
    }),
    variables: ['NEW_DEVICE_MAILS'],
    first: ({ newDeviceMails }) => newDeviceMails,
  }),
  license_file_days: declared({
    of: BOTH,
    needs: 'settings',
    schema: Type.Integer({
      minimum: 1,
      maximum: 3650,
      description: 'Days that a license file is good for at most; files that were given out keep their end',
      examples: [30],
    }),
    variables: ['LICENSE_FILE_DAYS'],
    first: ({ licenseFileDays }) => licenseFileDays,
  }),
  staff_entry_minutes: declared({
    of: BOTH,
    needs: 'settings',
    schema: Type.Integer({
      minimum: 1,
      maximum: 1440,
      description: 'How long an entry of staff with a reason lasts at most; one that began lasts as long as it said',
      examples: [60],
    }),
    variables: ['STAFF_ENTRY_MINUTES'],
    first: ({ staffEntryMinutes }) => staffEntryMinutes,
  }),
  download_link_minutes: declared({
    of: BOTH,
    needs: 'settings',
    schema: Type.Integer({
      minimum: 1,
      maximum: 1440,
      description: 'Minutes that a new link to a file of a release, or of an export, is good for',
      examples: [15],
    }),
    variables: ['DOWNLOAD_LINK_MINUTES'],
    first: ({ downloadLinkMinutes }) => downloadLinkMinutes,
  }),
  files_quota_bytes: declared({
    of: BOTH,
    needs: 'settings',
    schema: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Bytes that the files of one organization may take in all; what is there stays',
      examples: [10_737_418_240],
    }),
    variables: ['FILES_QUOTA_BYTES'],
    first: ({ files }) => files.quotaBytes,
  }),
  files_quota_count: declared({
    of: BOTH,
    needs: 'settings',
    schema: Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      description: 'Files that one organization may keep; what is there stays',
      examples: [10_000],
    }),
    variables: ['FILES_QUOTA_COUNT'],
    first: ({ files }) => files.quotaCount,
  }),
} as const
