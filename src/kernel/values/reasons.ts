// Why a request was refused, for programs (`errors.reason`): what it means, and what to do, as /docs/errors says. Here
// are the reasons that the kernel and http give; each module declares its own in its `reasons.ts`.

/** Each conflict names one; so do refusals of other codes that a client must tell apart. */
export const REASONS = {
  status_not_allowed:
    'The status of the record does not allow this. The message names the status; get the record again to ' +
    'see what is possible.',
  request_in_progress: 'A request with this Idempotency-Key is still running. Repeat it after a moment.',
  idempotency_key_reused: 'The Idempotency-Key was used with another request within the last 24 hours. Use a new key.',
  answer_not_kept:
    'The request with this Idempotency-Key was done. Its answer had a secret, which is shown once and is not ' +
    'kept. Get the record, and ask for a new secret if you have not got it.',
  external_id_taken:
    'Another record of this kind has this external_id. The message names it; take the id from that one ' +
    'first, if this one is to have it.',
  scope_missing:
    'A scope is missing. `errors.missing` names it, and `GET /me/access` who can grant it: an owner or ' +
    'admin can grant it, unless the vendor hides it (`is_hidden`), an administrator of the vendor to staff.',
  role_too_low:
    'The caller’s role in the organization does not allow this. `errors.missing` names the lowest that ' +
    'does, and `GET /me/access` who can give it.',
  not_a_member: 'The caller is not a collaborator of this organization, or not at this time.',
  key_permission_missing: 'The API key may read or write only. Use a key with the other permission.',
  key_address_refused:
    'The API key has a list of networks (`allowed_ips`), and the request came from another one. Behind a ' +
    'proxy, `TRUSTED_PROXIES` has to name it.',
  key_of_some_organizations:
    'The API key of the vendor is for some organizations only, and the request concerns all of them, or ' +
    'what belongs to none: people, who may be in several (ask for the collaborators of an organization), ' +
    'imports, whose files name any, the catalogue, settings and events of other systems. Use a key for all ' +
    'organizations, or `X-Service-Organization`.',
  person_needed: 'No API key may do this, only a person with a session of their own.',
  staff_only: 'Only the vendor’s staff may do this.',
  entry_needed: 'Staff give a reason before they enter an organization: `POST /admin/organizations/{id}/entries`.',
  step_up_required:
    'The act is dangerous, and it is too long ago that the person of the session proved who they are. Do so ' +
    'with `POST /auth/step-up`, then repeat the request.',
  second_factor_required:
    'The organization, or the settings for staff, admit only sessions with a second factor. Sign in with ' +
    'it, or set one up: `POST /auth/mfa/totp` or `POST /auth/passkeys/options`.',
  sso_required:
    'The organization admits people with addresses of its domains only by single sign-on. Sign in again ' +
    'with `POST /auth/sso`.',
} as const

/** Filled by the modules, so that a misspelling does not compile. */
export interface Reasons extends Record<keyof typeof REASONS, string> {}
export type Reason = keyof Reasons

/** Where the page is served, below PUBLIC_URL. */
export const ERRORS_PAGE = '/docs/errors'
