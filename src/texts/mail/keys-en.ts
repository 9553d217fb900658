// The mails about API keys, in English.

import type { MailTexts } from './content.ts'
import type { VendorKeyAct } from './key-contents.ts'

type KeyMails = Pick<MailTexts['kinds'], 'api-key-expiring' | 'vendor-key-expiring' | 'vendor-key-changed'>
type Key = Parameters<KeyMails['vendor-key-expiring']>[0]

const factsOf = (
  { lastFour, endsAt, lastUsedAt, createdBy }: Omit<Key, 'kind' | 'recipient' | 'name'>,
  time: (at: string) => string,
) => [
  { label: 'Key', value: `…${lastFour}` },
  { label: 'Ends', value: time(endsAt) },
  { label: 'Last used', value: lastUsedAt === null ? 'never' : time(lastUsedAt) },
  { label: 'Made by', value: createdBy },
]
const ACTS: Record<VendorKeyAct, string> = {
  created: 'was made',
  updated: 'was changed',
  rotated: 'got a new secret',
  revoked: 'was revoked',
}

const NOTES = [
  'If nothing uses it any more, revoke it or let it end. Otherwise give it a later end, or make a new key.',
]

export const keyMailsInEnglish: KeyMails = {
  'api-key-expiring': ({ organizationName, name, ...key }, { time }) => ({
    subject: `The API key ${name} of ${organizationName} ends soon`,
    preheader: `On ${time(key.endsAt)}.`,
    heading: 'An API key ends soon',
    paragraphs: [
      `The API key ${name} of ${organizationName} ends on ${time(key.endsAt)}. From then on it is ` +
        'refused, and what uses it no longer works.',
    ],
    facts: factsOf(key, time),
    button: 'View API key',
    notes: NOTES,
  }),
  'vendor-key-expiring': ({ recipient, name, ...key }, { brand, time }) => ({
    subject: `${brand}: the API key ${name} ends soon`,
    preheader: `On ${time(key.endsAt)}.`,
    heading: `An API key of ${brand} ends soon`,
    paragraphs: [
      `Hello, ${recipient}. The API key ${name} of ${brand} ends on ${time(key.endsAt)}. From then on ` +
        'it is refused, and what uses it no longer works.',
    ],
    facts: factsOf(key, time),
    button: null,
    notes: NOTES,
  }),
  'vendor-key-changed': (
    { recipient, act, name, permissions, organizations, changedBy, changedAt },
    { brand, time },
  ) => ({
    subject: `${brand}: the API key ${name} ${ACTS[act]}`,
    preheader: `By ${changedBy}.`,
    heading: `An API key ${ACTS[act]}`,
    paragraphs: [`Hello, ${recipient}. The API key ${name} of ${brand} ${ACTS[act]}.`],
    facts: [
      { label: 'Permissions', value: permissions.join(', ') },
      { label: 'Organizations', value: organizations === null ? 'all' : String(organizations) },
      { label: 'Changed by', value: changedBy },
      { label: 'When', value: time(changedAt) },
    ],
    button: null,
    notes: ['You get this because you are an administrator. If it should not be so, revoke the key at once.'],
  }),
}
