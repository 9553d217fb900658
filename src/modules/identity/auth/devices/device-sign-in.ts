// Signing in by another device (RFC 8628) as clients see it (docs/interface/identity.md, Authentication).
import { randomInt } from 'node:crypto'
import { Type, type Static } from 'typebox'
import { Closed, Nullable, Timestamp } from '#kernel/values/schema.ts'

export const LIFETIME_SECONDS = 600
/** Of polls, at first; and by how much each that comes too early lengthens it. */
export const INTERVAL_SECONDS = 5

/** Consonants alone, so that no word comes out (RFC 8628, 6.1); 34 bits. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'

export const newUserCode = (): string =>
  Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)])
    .join('')
    .replace(/(?<=^.{4})/, '-')

const GivenDeviceCode = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'For POST /auth/device/token; the device keeps it to itself',
  examples: ['h5nBqU5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1b'],
})
const GivenUserCode = Type.String({
  minLength: 1,
  maxLength: 32,
  description: 'What the device shows; case, dashes and blanks do not count',
  examples: ['WDJB-MJHT'],
})

export const DeviceSignIn = Type.Object(
  {
    device_code: GivenDeviceCode,
    user_code: { ...GivenUserCode, description: 'To be shown to the person' },
    verification_uri: Type.String({
      description: 'Where the person enters the code, with a browser anywhere',
      examples: ['https://account.titular.example/app/device'],
    }),
    verification_uri_complete: Type.String({
      description: 'The same with the code, for a link or a QR code',
      examples: ['https://account.titular.example/app/device?user_code=WDJB-MJHT'],
    }),
    expires_in: Type.Integer({ description: 'Lifetime of both codes in seconds', examples: [LIFETIME_SECONDS] }),
    interval: Type.Integer({ description: 'Seconds between two polls', examples: [INTERVAL_SECONDS] }),
  },
  { description: 'The sign-in of a device that a person has yet to approve' },
)
export type DeviceSignIn = Static<typeof DeviceSignIn>

export const DeviceCode = Closed({ device_code: GivenDeviceCode })
export const UserCode = Closed({ user_code: GivenUserCode })

export const WaitingDevice = Type.Object(
  {
    device: Nullable(
      Type.String({ description: 'What asks, by its own word (`User-Agent`)', examples: ['titular-cli'] }),
    ),
    ip: Nullable(Type.String({ description: 'From where it asks', examples: ['203.0.113.7'] })),
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { description: 'A device that waits for an approval' },
)
export type WaitingDevice = Static<typeof WaitingDevice>
