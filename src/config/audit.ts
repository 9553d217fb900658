// The audit logs: the key that signs their checkpoints.
import { text } from './readers.ts'
import type { Variables } from './variable.ts'

export const AUDIT = {
  signingKey: {
    name: 'AUDIT_SIGNING_KEY',
    meaning:
      'One or more Ed25519 keys (PEM) of `audit checkpoint`; the first signs, public ones verify; made once under DATA_DIR when unset',
    read: text,
    secret: true,
  },
} as const satisfies Variables
