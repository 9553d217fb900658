// Which of the sandbox's systems there are: none where a test does not ask for them, so that nothing is sent that it
// does not expect.

export const NO_SYSTEMS: Record<string, string> = {
  ISSUE_TRACKER: 'none',
  ENTITY_BR_COMMERCE: 'own',
  ENTITY_GLOBAL_COMMERCE: 'own',
  ENTITY_BR_CRM: 'none',
  ENTITY_GLOBAL_CRM: 'none',
}

/** As a start without settings has them. */
export const ALL_SYSTEMS: Record<string, string> = Object.fromEntries(
  Object.keys(NO_SYSTEMS).map((name) => [name, 'sandbox']),
)
