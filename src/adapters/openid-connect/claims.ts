// What the claims and errors of providers mean.
import { storable } from '#kernel/values/text/text.ts'

const MOST_SAID = 300

/** Some providers write booleans as text; null where nothing is said, and false for what is neither. */
export function isVerified(claim: unknown): boolean | null {
  if (claim === undefined || claim === null) return null
  return claim === true || claim === 'true'
}

/** The error in the words of the standard (RFC 6749, 5.2) and of the library; without claims, which are personal. */
export function whyRefused(error: unknown): string {
  const said = chainOf(error).map(({ message, error: code, error_description: text }) =>
    typeof code === 'string' ? [code, text].filter((one) => typeof one === 'string').join(': ') : message,
  )
  return storable([...new Set(said)].join('; ')).slice(0, MOST_SAID)
}

/** The issuer that the configuration of the provider names, when the library refused it for that; else null. */
export function otherIssuer(error: unknown): string | null {
  for (const { code, cause, issuer } of chainOf(error)) {
    if (typeof issuer === 'string') return storable(issuer).slice(0, MOST_SAID)
    const { attribute, body } = (cause ?? {}) as { attribute?: unknown; body?: { issuer?: unknown } }
    const isOfIssuer = code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' && attribute === 'issuer'
    if (isOfIssuer && typeof body?.issuer === 'string') return storable(body.issuer).slice(0, MOST_SAID)
  }
  return null
}

type OAuthError = Error & { code?: unknown; error?: unknown; error_description?: unknown; issuer?: unknown }

function chainOf(error: unknown): OAuthError[] {
  return error instanceof Error ? [error, ...chainOf(error.cause)] : []
}
