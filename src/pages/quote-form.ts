// The form of a quote's page: what it sends to the API, and what is said when the API refuses it.
import type { ErrorCode } from '#kernel/values/errors.ts'
import { textsIn } from '../texts/catalogue.ts'
import type { Language } from '../texts/language.ts'
import type { ShownQuote } from './quote.ts'

export type Form = Record<string, string>
type Refusal = { code: ErrorCode; fields: readonly string[] }

/** Empty fields are left out, as if the form did not have them. */
const filled = (fields: Form): Form => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))

export const acceptanceOf = ({ name = '', email = '', purchase_order = '', consent, accept = '' }: Form): object => ({
  ...filled({ name, email, purchase_order, document_sha256: accept }),
  consent: consent === 'true',
})

/** A number that is none is sent as it is, so that the API names it. */
export const choicesOf = ({ line_items }: ShownQuote, given: Form): object[] =>
  line_items.flatMap(({ is_optional, quantity_min }, index) => [
    {
      index,
      ...(is_optional && { is_chosen: given[`chosen.${index}`] !== undefined }),
      ...(quantity_min !== null && { quantity: Number(given[`quantity.${index}`]) }),
    },
  ])

export const rejectionOf = ({ name = '', email = '', reason = '' }: Form): object => filled({ name, email, reason })

/** What the page says when the API has refused the form: `fields` are those that it has named. */
export function problemOf({ code, fields }: Refusal, language: Language): string {
  const { errors, quote } = textsIn(language).pages
  const known: Record<string, string> = { ...errors.fields, consent: quote.noConsent }
  const [problem] = fields.flatMap((field) => known[field] ?? [])
  return code === 'VALIDATION_ERROR' && problem !== undefined ? problem : errors.codes[code]
}
