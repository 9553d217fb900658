// A software authenticator: makes passkeys and signs with them as a browser would, with CBOR, COSE keys and signatures of its own.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export type Passkey = { id: Buffer; privateKey: KeyObject; userHandle: string; counter: number }

/** What a test may falsify. */
export type Falsified = {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  counter?: number
  flags?: number
  userHandle?: string
  crossOrigin?: boolean
  /** The id inside of the attestation; the one beside it stays. */
  attestedId?: Buffer
}

type CreationOptions = { challenge: string; rp: { id: string }; user: { id: string } }
type RequestOptions = { challenge: string; rpId: string }

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const ATTESTED = 0x40
export const WITHOUT_VERIFICATION = USER_PRESENT

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest()

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const state = Buffer.alloc(5)
  state.writeUInt8(flags)
  state.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(rpId), state])
}

export function createAuthenticator(origin: string) {
  const clientData = (type: string, challenge: string, falsified: Falsified): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: falsified.type ?? type,
        challenge: falsified.challenge ?? challenge,
        origin: falsified.origin ?? origin,
        crossOrigin: falsified.crossOrigin ?? false,
      }),
    )

  return {
    /** What `navigator.credentials.create` gives, as JSON. */
    create(options: CreationOptions, falsified: Falsified = {}) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const passkey: Passkey = { id: randomBytes(32), privateKey, userHandle: options.user.id, counter: 0 }
      const cose = map([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const attestedId = falsified.attestedId ?? passkey.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(attestedId.length)
      const flags = (falsified.flags ?? USER_PRESENT | USER_VERIFIED) | ATTESTED
      const data = Buffer.concat([
        authenticatorData(falsified.rpId ?? options.rp.id, flags, falsified.counter ?? 0),
        Buffer.alloc(16),
        length,
        attestedId,
        cose,
      ])
      const attestation = map([
        ['fmt', 'none'],
        ['attStmt', map([])],
        ['authData', data],
      ])
      const id = base64url(passkey.id)
      const response = {
        clientDataJSON: base64url(clientData('webauthn.create', options.challenge, falsified)),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      }
      const credential = { id, rawId: id, type: 'public-key', clientExtensionResults: { credProps: { rk: true } } }
      return { passkey, credential: { ...credential, authenticatorAttachment: 'platform', response } }
    },
    /** What `navigator.credentials.get` gives, as JSON. */
    get(passkey: Passkey, options: RequestOptions, falsified: Falsified = {}) {
      const { rpId = options.rpId, flags = USER_PRESENT | USER_VERIFIED } = falsified
      const data = authenticatorData(rpId, flags, falsified.counter ?? ++passkey.counter)
      const client = clientData('webauthn.get', options.challenge, falsified)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), passkey.privateKey)
      const id = base64url(passkey.id)
      const response = {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle: falsified.userHandle ?? passkey.userHandle,
      }
      return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
    },
  }
}

/** CBOR, as far as authenticators write it. */
type Item = number | string | Buffer

function map(entries: readonly (readonly [Item, Item | Encoded])[]): Encoded {
  const parts = entries.flatMap(([key, value]) => [encoded(key), encoded(value)])
  return Object.assign(Buffer.concat([head(5, entries.length), ...parts]), { isEncoded: true } as const)
}
type Encoded = Buffer & { isEncoded: true }

function encoded(item: Item | Encoded): Buffer {
  if (typeof item === 'number') return item < 0 ? head(1, -1 - item) : head(0, item)
  if (typeof item === 'string') return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)])
  return 'isEncoded' in item ? item : Buffer.concat([head(2, item.length), item])
}

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}
