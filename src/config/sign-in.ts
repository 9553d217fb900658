// What signing in asks for.
import { flag, number, oneOf } from './readers.ts'
import type { Variables } from './variable.ts'

export const SIGN_IN = {
  staffMfa: {
    name: 'STAFF_MFA',
    meaning: '`required`: staff get in only with a second factor; advised in production',
    fallback: 'optional',
    read: oneOf('optional', 'required'),
    visibleTo: 'areas',
  },
  reasons: {
    name: 'REASONS',
    meaning:
      '`required`: dangerous acts, and all acts of staff in an organization, say why (`X-Reason`, or ' +
      '`reason` in the body, or the entry of staff); `optional`: whoever wants to',
    fallback: 'optional',
    read: oneOf('optional', 'required'),
  },
  newDeviceMails: {
    name: 'NEW_DEVICE_MAILS',
    meaning:
      'Whether a sign-in from a new device is mailed to its person: `all`; `not_sso`: not one by single ' +
      'sign-on, whose provider may do so itself; `none`',
    fallback: 'all',
    read: oneOf('all', 'not_sso', 'none'),
  },
  stepUpMinutes: {
    name: 'STEP_UP_MINUTES',
    meaning:
      'How long a proof of who somebody is counts for dangerous acts; 0: they need none beyond the session. ' +
      '15 is advised once the portal asks for the proof',
    fallback: '0',
    read: number(0, 1440),
    visibleTo: 'areas',
  },
  apiKeysInQuery: {
    name: 'API_KEYS_IN_QUERY',
    meaning:
      '`0`: keys of organizations are not taken from the query, where the logs of proxies keep them; ' +
      'advised unless a client can send no header',
    fallback: '1',
    read: flag,
    visibleTo: 'areas',
  },
} as const satisfies Variables
