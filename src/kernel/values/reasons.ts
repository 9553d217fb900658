// Why a request was refused, for programs: the table behind `errors.reason`, from which the page /docs/errors is made.

/**
 * Each conflict names one; so do refusals of other codes that a client must tell apart. What it means, and what to do.
 */
export const REASONS = {
  // Any record
  status_not_allowed:
    'The status of the record does not allow this. The message names the status; get the record again to ' +
    'see what is possible.',
  changed_meanwhile:
    'The record has changed since it was read. Get it again, and repeat the request if it still applies.',
  already_in_progress: 'The same act is under way. Wait for its end.',
  request_in_progress: 'A request with this Idempotency-Key is still running. Repeat it after a moment.',
  idempotency_key_reused: 'The Idempotency-Key was used with another request within the last 24 hours. Use a new key.',
  limit_reached: 'There are as many of these as there may be. The message says how many; end or delete one first.',
  identifier_taken: 'The identifier (such as the CNPJ) belongs to another organization.',
  number_taken: 'A record with this number exists already. If it is yours, look it up instead of creating it.',
  external_id_taken:
    'Another record of this kind has this external_id. The message names it; take the id from that one ' +
    'first, if this one is to have it.',
  name_taken: 'A record with this name exists already beside it.',
  not_configured: 'The system that this needs is not configured in this installation.',
  sandbox_only: 'This exists in the sandbox only.',
  not_deleted: 'Only a deleted organization can be restored, or erased.',
  still_open:
    'Invoices, refunds, subscriptions or the like are not settled. The message says what, and how many; ' +
    'settle them first.',
  archived: 'Archived documents never change. Upload a new document instead.',
  outcome_unknown: 'Another system may have acted on it already. Wait until its answer is known.',

  // Who may
  scope_missing:
    'A scope is missing. `errors.missing` names it, and `GET /me/access` who can grant it: an owner or ' +
    'admin of the organization can grant it, an administrator of the vendor to staff.',
  role_too_low:
    'The caller’s role in the organization does not allow this. `errors.missing` names the lowest that ' +
    'does, and `GET /me/access` who can give it.',
  more_than_own: 'Nobody grants more than they have themselves.',
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
  key_expired: 'The API key has expired. Give it a later end first, or make a new one.',
  person_needed: 'No API key may do this, only a person with a session of their own.',
  rotation_running:
    'The former secret of the API key still counts, from an earlier rotation. Wait for its end, or rotate ' +
    'with `overlap_minutes` 0, which ends all former secrets at once.',
  staff_only: 'Only the vendor’s staff may do this.',
  entry_needed: 'Staff give a reason before they enter an organization: `POST /admin/organizations/{id}/entries`.',
  not_yours: 'Only the person who made the record, and those above them, may do this.',
  email_unproven: 'The e-mail address of the account has to be confirmed first.',
  own_account: 'Nobody may do this to their own account.',
  step_up_required:
    'The act is dangerous, and it is too long ago that the person of the session proved who they are. Do so ' +
    'with `POST /auth/step-up`, then repeat the request.',
  second_factor_required:
    'The organization, or the settings for staff, admit only sessions with a second factor. Sign in with ' +
    'it, or set one up: `POST /auth/mfa/totp` or `POST /auth/passkeys/options`.',
  sso_required:
    'The organization admits people with addresses of its domains only by single sign-on. Sign in again ' +
    'with `POST /auth/sso`.',

  // Accounts and collaborators
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
  account_disabled: 'The account is disabled. An administrator can enable it.',
  already_staff: 'The person is staff already. Change their roles instead.',
  last_administrator: 'There is always an administrator. Appoint another one first.',
  already_invited: 'The address was invited already. Send the invite again instead.',
  already_named: 'The contact has the role already.',
  mail_of_account: 'Mails about an account are asked for again by the person: a new link, a new password.',
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
  organization_unverified: 'The organization has to be verified first.',
  organization_not_new: 'Only a new organization, without records, can get this.',
  test_clock_exists: 'The organization has a test clock already.',
  test_clock_advancing: 'The test clock is advancing. Wait until it stands.',

  // Quotes and orders
  quote_expired: 'The quote was valid until a day that has passed. Ask for a new one, or edit its `valid_until`.',
  quote_superseded: 'A newer version has replaced the quote. Use that one.',
  quote_still_open: 'The quote that was made for the request is still open. Cancel it first.',
  replaced_quote_closed: 'The quote that this one was to replace is closed.',
  draft_exists: 'There is a draft of the next version already. Edit that one.',
  rate_missing: 'The index has no rate of a month that counts. Enter it, or choose other months.',
  no_payment_yet: 'The quote was not accepted yet, so there is nothing to pay.',
  sku_taken: 'Another product has this SKU.',
  price_ended: 'The price has ended already.',

  // Subscriptions
  no_subscription: 'The order has no subscription for which this is possible.',
  subscription_exists: 'The order has a subscription already.',
  subscription_ending: 'The subscription is cancelled and ends with its period.',
  subscription_not_paused: 'The subscription is not paused.',
  pays_by_invoice: 'The organization pays by invoice, so it is not charged automatically.',
  one_time_lines: 'Some lines of the order are billed once. They must all have an interval.',
  order_paid: 'The order is paid already.',
  no_payment_awaited: 'The order waits for no payment.',
  billed_as_a_whole: 'The subscription is billed as one amount, so its lines cannot change.',

  // Money
  invoice_void: 'The invoice is void. Cancel what was made from it.',
  fully_credited: 'Credit notes cover all of the invoice. Cancel what was made from it.',
  balance_too_low: 'The balance is less than the amount.',
  balance_too_high: 'The balance would be larger than any amount can be.',
  nothing_to_apply: 'There is no credit balance of this legal entity and currency, or nothing is due.',
  nothing_to_refund: 'Nothing is left that could be refunded.',
  nothing_to_restart: 'Nothing of the refund has to be restarted.',
  payment_disputed: 'The payment is disputed, so the bank decides about the money.',
  refund_approved: 'The refund was approved already.',
  refund_not_approved: 'The refund has to be approved first.',
  refund_failed: 'The refund has failed. Start a new one.',
  refunded_otherwise: 'The amount was refunded otherwise, or is about to be.',
  refund_confirmed_by_provider: 'The payment provider made this refund, and confirms it itself.',
  dunning_not_held: 'Dunning is not held for the organization.',
  no_late_charges: 'There are no late charges to bill.',

  // Tax invoices
  not_taxable: 'The invoice gets no tax invoice. The message says why.',
  already_declared: 'The lines have a tax invoice already.',
  being_replaced: 'Another tax invoice is about to replace it. Wait for that one.',
  fiscal_profile_missing: 'No fiscal profile of the legal entity is valid on the day.',
  service_code_missing: 'A line has no service code. Set it at the product first.',
  several_service_codes: 'The lines have several service codes by now. Cancel this tax invoice, and issue anew.',
  document_unreadable: 'The XML cannot be rendered as PDF. It can be downloaded as it is.',

  // Entitlements and what hangs on them
  entitlement_not_active: 'The entitlement is not active. The message names its status.',
  entitlement_not_renewable: 'The entitlement has ended for good, so it cannot be extended.',
  suspended_for_overdue_payment:
    'The entitlement is suspended for an overdue payment. Record the payment, or hold dunning for the organization.',
  nothing_scheduled: 'No suspension or end is scheduled.',
  not_entitled: 'No entitlement of the organization covers it.',
  license_expired: 'The license has expired.',
  activation_limit_reached: 'The license is active on as many domains as it allows. Deactivate one first.',
  activations_exceed_limit: 'The license is active on more domains than the new limit. Deactivate some first.',
  domain_taken: 'The organization has a site of this domain already.',
  license_active_on_site: 'A license is active on the site. Deactivate it there first.',
  environment_at_site: 'An environment is at the site. Change its address or decommission it first.',
  environment_paired: 'Other environments are paired with this production environment.',
  maintenance_begun: 'The maintenance window has begun already.',
  maintenance_overlaps: 'The maintenance window overlaps another one of the environment.',
  contract_expired: 'The contract has expired. It is renewed, or paid for again.',
  renewed_by_its_own_endpoint: 'A contract is renewed by `POST /contracts/{id}/renew`.',
  end_date_passed: 'The end date of the contract has passed.',
  terms_agreed: 'What was agreed does not change any more. The message names the fields that still can.',
  issue_linked: 'The ticket is linked to an issue already.',

  // Files, releases, events
  storage_quota_exceeded: 'The file exceeds the storage quota of the organization. Delete others first.',
  upload_too_slow: 'The file took too long to arrive. Upload it again.',
  staff_only_document: 'A document for staff only cannot be shared.',
  version_taken: 'The product has a release of this version already.',
  release_has_no_files: 'A release without files cannot be published.',
  endpoint_scopes_missing: 'Whoever set the webhook endpoint up does not hold the scopes of this event.',
  event_not_handled: 'Events of this type are not used by this version.',
  event_unreadable:
    'The event could not be read. The message says why. It cannot be handled again: read its body, do by ' +
    'hand what is to be done, and set it aside.',
  nobody_to_invite: 'Only an import of members that was no dry run has somebody to invite.',
  value_not_allowed: 'The organization cannot have the proposed value. The message says why.',
} as const

export type Reason = keyof typeof REASONS
export const REASON_NAMES = Object.keys(REASONS).filter((name): name is Reason => name in REASONS)

/** Where the page is served, below PUBLIC_URL. */
export const ERRORS_PAGE = '/docs/errors'
