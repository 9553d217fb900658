// WebAuthn by its library: what browsers are asked to sign, and whether what they signed is right.
import type { Ports } from '#kernel/data/context.ts'
import { derive } from '#kernel/keys/secrets.ts'
import { onFirstUse } from '#kernel/values/on-first-use.ts'
import type { CreatedCredential, CreationOptions, RequestOptions, UsedCredential } from './passkey.ts'
import type { StoredPasskey } from './passkeys.ts'

// Loaded when it is needed: that takes 0.7 s and 20 MB.
const library = onFirstUse(() => import('@simplewebauthn/server'))

const TIMEOUT_MS = 300_000
/** ES256, EdDSA, RS256. */
const ALGORITHMS = [-7, -8, -257]
const USER_VERIFICATION = 'required'

/** Passkeys are bound to the host of PUBLIC_URL, and used from pages of its origin. */
function partyOf({ settings }: Ports): { rpId: string; origin: string } {
  const { hostname, origin } = new URL(settings.publicUrl)
  return { rpId: hostname, origin }
}

/** What the authenticator keeps with the passkey: no number of an account, for it may be shown to others. */
const userHandle = ({ secretKey }: Ports, userId: number): string =>
  derive(secretKey, 'passkey-user', userId).toString('base64url')

type Person = { id: number; name: string; email: string }

export function creationOptions(
  ports: Ports,
  person: Person,
  known: readonly string[],
  challenge: string,
): CreationOptions {
  return {
    challenge,
    rp: { id: partyOf(ports).rpId, name: ports.settings.brand },
    user: { id: userHandle(ports, person.id), name: person.email, displayName: person.name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout: TIMEOUT_MS,
    excludeCredentials: known.map((id) => ({ id, type: 'public-key' })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: USER_VERIFICATION,
    },
    attestation: 'none',
  }
}

export const requestOptions = (ports: Ports, challenge: string): RequestOptions => ({
  challenge,
  rpId: partyOf(ports).rpId,
  timeout: TIMEOUT_MS,
  userVerification: USER_VERIFICATION,
})

/** The challenge that a browser says it has signed; '' when it says none, or that another site's page embeds ours. */
export function challengeIn({ response }: { response: { clientDataJSON: string } }): string {
  try {
    const said: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'))
    if (typeof said !== 'object' || said === null || ('crossOrigin' in said && said.crossOrigin === true)) return ''
    return 'challenge' in said && typeof said.challenge === 'string' ? said.challenge : ''
  } catch {
    return ''
  }
}

/** The new passkey; null when anything about it is wrong. */
export async function createdPasskey(ports: Ports, credential: CreatedCredential, challenge: string) {
  const { verifyRegistrationResponse } = await library()
  const { rpId, origin } = partyOf(ports)
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(unverified)
  if (!verified || !registrationInfo) return null
  const { id: credentialId, publicKey, counter } = registrationInfo.credential
  // The library does not compare the id beside the attestation with the one inside, which may have 64 KiB.
  if (credentialId !== credential.id) return null
  return { credentialId, publicKey, counter, isBackedUp: registrationInfo.credentialBackedUp }
}

/** The passkey's counter as of now; null when anything about the signature is wrong. */
export async function usedCounter(
  ports: Ports,
  { response, ...credential }: UsedCredential,
  stored: StoredPasskey,
  challenge: string,
): Promise<number | null> {
  // A passkey tells whose it is.
  if (response.userHandle !== userHandle(ports, stored.user_id)) return null
  const { verifyAuthenticationResponse } = await library()
  const { rpId, origin } = partyOf(ports)
  const { clientDataJSON, authenticatorData, signature } = response
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...credential, clientExtensionResults: {}, response: { clientDataJSON, authenticatorData, signature } },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    credential: {
      id: stored.credential_id,
      publicKey: Uint8Array.from(stored.public_key),
      counter: stored.counter,
    },
  }).catch(unverified)
  return verified ? authenticationInfo.newCounter : null
}

/** The library throws for whatever is wrong: malformed bytes, another origin, an old counter. */
const unverified = () =>
  ({ verified: false, registrationInfo: undefined, authenticationInfo: { newCounter: 0 } }) as const
