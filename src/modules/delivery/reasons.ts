// Why requests are refused here, and in the modules above that refuse for the same reason.
export const deliveryReasons = {
  identifier_taken: 'The identifier (such as the CNPJ) belongs to another organization.',
  name_taken: 'A record with this name exists already beside it.',
  not_configured: 'The system that this needs is not configured in this installation.',
  organization_unverified: 'The organization has to be verified first.',
  sku_taken: 'Another product has this SKU.',
  price_ended: 'The price has ended already.',
  balance_too_low: 'The balance is less than the amount.',
  entitlement_not_active: 'The entitlement is not active. The message names its status.',
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
  version_taken: 'The product has a release of this version already.',
  release_has_no_files: 'A release without files cannot be published.',
} as const

declare module '#kernel/values/reasons.ts' {
  interface Reasons extends Record<keyof typeof deliveryReasons, string> {}
}
