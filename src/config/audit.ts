// The audit logs: the key that signs their checkpoints, and how long entries are kept.
import { number, text } from './readers.ts'
import type { Variables } from './variable.ts'

export const AUDIT = {
  signingKey: {
    name: 'AUDIT_SIGNING_KEY',
    meaning:
      'One or more Ed25519 keys (PEM) of `audit checkpoint` and `audit remove-old`; the first signs, public ' +
      'ones verify; made once under DATA_DIR when unset',
    read: text,
    secret: true,
  },
  days: {
    name: 'AUDIT_LOG_DAYS',
    meaning:
      'Days after which `audit remove-old` removes entries of the audit logs, 365 at least; all are kept when unset',
    read: number(365, 36_500),
  },
} as const satisfies Variables
