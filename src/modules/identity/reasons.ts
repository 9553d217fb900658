// Why requests are refused here, and in the modules above that refuse for the same reason.
export const identityReasons = {
  not_deleted: 'Only a deleted organization can be restored, or erased.',
  more_than_own: 'Nobody grants more than they have themselves.',
  key_expired: 'The API key has expired. Give it a later end first, or make a new one.',
  rotation_running:
    'The former secret of the API key still counts, from an earlier rotation. Wait for its end, or rotate ' +
    'with `overlap_minutes` 0, which ends all former secrets at once.',
  email_unproven:
    'The e-mail address of the account has to be confirmed first, by the link that was mailed. ' +
    '`POST /auth/resend-verification` mails another one.',
  own_account: 'Nobody may do this to their own account.',
  email_taken: 'Another account has this e-mail address.',
  authenticator_exists: 'An authenticator app is set up already. Take it away first.',
  authenticator_missing: 'No authenticator app is set up, or being set up. Begin with `POST /auth/mfa/totp`.',
  passkey_exists: 'The passkey is registered already.',
  sso_domain_taken: 'Another connection of the organization has the domain.',
  second_factor_not_tried:
    'The owner requires a second factor of all with a session that has one itself, so that they do not shut ' +
    'themselves out. Set one up, and sign in with it.',
  sso_not_tried: 'Somebody has to sign in by the connection first, so that a mistake in it shuts nobody out.',
  sso_expired: 'The sign-in has expired, was used, or was begun elsewhere. Begin again.',
  sso_refused: 'The identity provider has not signed the person in, or its answer is not valid. Begin again.',
  sso_email_unverified:
    'The identity provider does not say that the e-mail address is verified (`email_verified`). Whoever ' +
    'looks after it can have it said.',
  sso_other_domain:
    'The address is not of a domain that the identity provider signs in. Sign in there with the account of ' +
    'the organization.',
  sso_account_refused:
    'The account of the address is disabled, is changing its address, or is linked to another person of the ' +
    'identity provider.',
  sso_staff: 'Staff sign in by their own identity provider, or with their password.',
  authorization_pending: 'Nobody has approved the sign-in of the device yet. Ask again after the interval.',
  slow_down: 'The device asks too often. Add five seconds to the interval, and go on asking.',
  access_denied: 'The person has not let the device sign in.',
  expired_token: 'The sign-in of the device has expired, or was used. Begin again with `POST /auth/device`.',
  account_disabled: 'The account is disabled. An administrator can enable it.',
  already_staff: 'The person is staff already. Change their roles instead.',
  last_administrator: 'There is always an administrator. Appoint another one first.',
  already_invited: 'The address was invited already. Send the invite again instead.',
  already_member: 'The person belongs to the organization already.',
  already_accepted: 'The invite was accepted already.',
  role_in_use: 'Members or invites have the role. Give them another one first.',
  invite_expired: 'The invite has expired. Ask for a new one.',
  invite_for_other_address: 'The invite was sent to another e-mail address. Sign in with that one.',
  owner_exists: 'The organization has an owner already, or an invite for one.',
  owner_by_transfer_only: 'Ownership changes by a transfer only.',
  last_owner: 'An organization always has an owner. Transfer the ownership first.',
  already_owner: 'The caller owns the organization already.',
  heir_not_eligible: 'The new owner must be an active member or admin.',
} as const

declare module '#kernel/values/reasons.ts' {
  interface Reasons extends Record<keyof typeof identityReasons, string> {}
}
