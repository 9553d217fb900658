// Port: signing in by OpenID Connect at an identity provider, with the authorization code flow.

export type IdentityProvider = { issuer: string; clientId: string; clientSecret: string }

/** What binds the provider's answer to the request; none of it is used twice. */
export type SignOnRequest = { redirectUri: string; state: string; nonce: string; codeVerifier: string }

/** What the provider's redirect brought back. */
export type SignOnAnswer = { state: string; code?: string; iss?: string; error?: string }

export type SignedOn = {
  issuer: string
  /** Who it is at the issuer, for good. */
  subject: string
  email: string | null
  /** Whether the provider vouches for the address; null where it says nothing of that. */
  isEmailVerified: boolean | null
  name: string | null
  /** The provider says that it asked for more than one factor. */
  hasTwoFactors: boolean
}

/**
 * The provider, or somebody in its name, gave an answer that is not valid; the message says why, and is for the log.
 */
export class RefusedSignOn extends Error {}
/** No answer in time, or none that an OpenID provider gives. */
export class ProviderUnavailable extends Error {}
/** Its configuration names another issuer than it was asked as. */
export class OtherIssuer extends ProviderUnavailable {
  readonly issuer: string
  constructor(issuer: string) {
    super(`the provider calls itself ${issuer}`)
    this.issuer = issuer
  }
}

export interface SingleSignOn {
  /** The address to send the browser to. */
  begin(provider: IdentityProvider, request: SignOnRequest, loginHint: string): Promise<string>
  /** Exchanges the code, and checks all of the answer: issuer, audience, signature, nonce, times. */
  finish(provider: IdentityProvider, request: SignOnRequest, answer: SignOnAnswer): Promise<SignedOn>
  close(): Promise<void>
}
