// Settings with which every port to an outside system is in use, at addresses where nobody answers: for tests of what comes
// in from them.
const NOBODY = 'http://127.0.0.1:1'

export const OUTSIDE_SYSTEMS: Readonly<Record<string, string>> = {
  ENTITY_BR_COMMERCE: 'woocommerce',
  WOOCOMMERCE_BR_URL: NOBODY,
  WOOCOMMERCE_BR_KEY: 'ck_of_nobody',
  WOOCOMMERCE_BR_SECRET: 'cs_of_nobody',
  WOOCOMMERCE_BR_WEBHOOK_SECRETS: 'the secret of nobody’s webhook',
}
