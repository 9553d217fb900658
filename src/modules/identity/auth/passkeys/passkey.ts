// Passkeys as clients see them (docs/interface/identity.md, Authentication). The objects of browsers are those of
// WebAuthn in JSON, as `PublicKeyCredential.parseCreationOptionsFromJSON`, `parseRequestOptionsFromJSON` and `toJSON`
// have them.
import { Type, type Static } from 'typebox'
import { Closed, Id, Name, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'
import { Password } from '../user.ts'

export const Passkey = Type.Object(
  {
    id: Id,
    name: Name,
    is_backed_up: Type.Boolean({ description: 'Kept by a provider of passkeys, not by one device alone' }),
    created_at: Timestamp,
    last_used_at: Nullable(Timestamp),
  },
  { description: 'A passkey of the caller' },
)
export type Passkey = Static<typeof Passkey>
export const PasskeyPaging = Closed(Paging)
export const PasskeyName = Closed({ name: { ...Name, examples: ['Phone'] } })

const Bytes = Type.String({ description: 'base64url', examples: ['Vw8zq0b4c1d2e3f4g5h6i7'] })
const Kind = Type.Unsafe<'public-key'>({ type: 'string', enum: ['public-key'], examples: ['public-key'] })

export const CreationOptions = Type.Object(
  {
    challenge: Bytes,
    rp: Type.Object({ id: Type.String({ examples: ['titular.example'] }), name: Name }),
    user: Type.Object({ id: Bytes, name: Type.String(), displayName: Type.String() }),
    pubKeyCredParams: Type.Array(Type.Object({ alg: Type.Integer({ examples: [-7] }), type: Kind })),
    timeout: Type.Integer({ examples: [300_000] }),
    excludeCredentials: Type.Array(Type.Object({ id: Bytes, type: Kind })),
    authenticatorSelection: Type.Object({
      residentKey: Type.String({ examples: ['required'] }),
      requireResidentKey: Type.Boolean(),
      userVerification: Type.String({ examples: ['required'] }),
    }),
    attestation: Type.String({ examples: ['none'] }),
  },
  { description: 'For `navigator.credentials.create`' },
)
export type CreationOptions = Static<typeof CreationOptions>

export const RequestOptions = Type.Object(
  {
    challenge: Bytes,
    rpId: Type.String({ examples: ['titular.example'] }),
    timeout: Type.Integer({ examples: [300_000] }),
    userVerification: Type.Unsafe<'required'>({ type: 'string', enum: ['required'], examples: ['required'] }),
  },
  { description: 'For `navigator.credentials.get`' },
)
export type RequestOptions = Static<typeof RequestOptions>

const Sent = Type.String({ minLength: 1, maxLength: 20_000, examples: ['eyJ0eXBlIjoid2ViYXV0aG4uZ2V0Iiwi…'] })
const CredentialId = Type.String({ minLength: 1, maxLength: 1400, examples: ['Vw8zq0b4c1d2e3f4g5h6i7'] })

// Not closed: browsers add members with each level of the specification.
const credential = {
  id: CredentialId,
  rawId: CredentialId,
  type: Kind,
  clientExtensionResults: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
}
const CreatedCredential = Type.Object(
  {
    ...credential,
    response: Type.Object({ clientDataJSON: Sent, attestationObject: Sent }, { additionalProperties: true }),
  },
  { additionalProperties: true, description: 'What `navigator.credentials.create` gave, by `toJSON()`' },
)
export type CreatedCredential = Static<typeof CreatedCredential>
const UsedCredential = Type.Object(
  {
    ...credential,
    response: Type.Object(
      { clientDataJSON: Sent, authenticatorData: Sent, signature: Sent, userHandle: Type.Optional(Nullable(Sent)) },
      { additionalProperties: true },
    ),
  },
  { additionalProperties: true, description: 'What `navigator.credentials.get` gave, by `toJSON()`' },
)
export type UsedCredential = Static<typeof UsedCredential>

export const NewPasskeyOptions = Closed({ current_password: Password })
export const NewPasskey = Closed({ name: PasskeyName.properties.name, credential: CreatedCredential })
export type NewPasskey = Static<typeof NewPasskey>
export const PasskeyAnswer = Closed({ credential: UsedCredential })
export type PasskeyAnswer = Static<typeof PasskeyAnswer>
