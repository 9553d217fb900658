// Passkeys as the browser has them, as the service takes them.
import type {
  BeginPasskeyLoginResult,
  BeginPasskeyResult,
  CreatePasskeyRequest,
  LoginWithPasskeyRequest,
} from '@titular/sdk'

type Fresh = CreatePasskeyRequest['credential']
type PasskeyAnswer = LoginWithPasskeyRequest['credential']

const isKey = (credential: Credential | null): credential is PublicKeyCredential =>
  credential instanceof PublicKeyCredential

/** Null where the person has broken it off. */
export async function newPasskey(options: BeginPasskeyResult): Promise<Fresh | null> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(JSON.stringify(options)))
  const made = await navigator.credentials.create({ publicKey })
  return isKey(made) ? JSON.parse(JSON.stringify(made.toJSON())) : null
}

export async function knownPasskey(options: BeginPasskeyLoginResult): Promise<PasskeyAnswer | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(JSON.stringify(options)))
  const found = await navigator.credentials.get({ publicKey })
  return isKey(found) ? JSON.parse(JSON.stringify(found.toJSON())) : null
}
