// The placeholders in the texts of the vendor, such as {{ticket_number}}.
const NAMES = ['ticket_number', 'ticket_title', 'requester_name', 'organization_name', 'staff_name'] as const
export type PlaceholderValues = Record<(typeof NAMES)[number], string>

export const PLACEHOLDERS = NAMES.map((name) => `{{${name}}}`)

/** The spaces around a name are taken off afterwards: beside them in the pattern a text of many takes minutes. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

const known = (given: string) => NAMES.find((one) => one === given.trim())

export const strangePlaceholders = (text: string): string[] =>
  [...text.matchAll(PLACEHOLDER)].filter(([, name = '']) => !known(name)).map(([whole]) => whole)

/** In one pass: what a value contains is never taken for a placeholder. */
export const fillPlaceholders = (text: string, values: PlaceholderValues): string =>
  text.replaceAll(PLACEHOLDER, (whole: string, given: string) => {
    const name = known(given)
    return name ? values[name] : whole
  })
