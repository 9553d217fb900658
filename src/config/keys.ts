// The keys that the service signs with. In the sandbox a missing key is generated once under DATA_DIR.
import { secretKey, text } from './readers.ts'
import type { Variables } from './variable.ts'

export const KEYS = {
  secretKey: {
    name: 'SECRET_KEY',
    meaning: 'HMAC key for nonces, refresh tokens and links; made once under DATA_DIR in the sandbox',
    read: secretKey,
    required: true,
    secret: true,
  },
  jwtPrivateKey: {
    name: 'JWT_PRIVATE_KEY',
    meaning: 'One or more RSA private keys (PEM, 3072 bits); the first signs, all are published',
    read: text,
    required: true,
    secret: true,
  },
  licenseSigningKey: {
    name: 'LICENSE_SIGNING_KEY',
    meaning: 'One or more Ed25519 private keys (PEM); the first signs license files, all are published',
    read: text,
    required: true,
    secret: true,
  },
  issuer: {
    name: 'ISSUER',
    meaning: '`iss` of the access tokens',
    fallback: 'titular',
    read: text,
    visibleTo: 'areas',
  },
} as const satisfies Variables
