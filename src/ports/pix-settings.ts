// The Pix key of the Brazilian legal entity, for customers who pay without a provider. It says where money goes, so
// only administrators change it, as they do the bank account.
import { Type } from 'typebox'
import { isMailAddress } from '#kernel/values/internet-addresses.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { declared } from './setting-declaration.ts'

const BRAZIL = ['entity_br'] as const
const NO_KEY = 'must be a Pix key: a CPF or CNPJ in digits, +55 and a telephone, an e-mail address, or a random key'

/** A CPF or CNPJ, a telephone with +55, an e-mail address, or a random key, as the Central Bank writes them. */
export function pixKeyProblem(value: string): string | null {
  const isDocument = /^(\d{11}|[A-Z0-9]{12}\d{2})$/.test(value)
  const isRandom = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
  const isKey = isDocument || isRandom || /^\+55\d{10,11}$/.test(value) || (isMailAddress(value) && value.length <= 77)
  return isKey ? null : NO_KEY
}

export const PIX_SETTINGS = {
  pix_key: declared({
    of: BRAZIL,
    needs: 'settings',
    schema: Type.String({
      maxLength: 77,
      description:
        'The Pix key for customers who pay without a provider: invoices in reais show the code with the amount; ' +
        'empty: there is none. Needs `pix_city`. Only administrators change where money goes',
      examples: ['pix@vendor.example'],
    }),
    problem: (value) => (value === '' ? null : pixKeyProblem(value)),
    variables: ['ENTITY_BR_PIX_KEY'],
    first: ({ pixKey }) => pixKey?.key ?? '',
  }),
  pix_city: declared({
    of: BRAZIL,
    needs: 'settings',
    schema: Type.String({
      maxLength: 60,
      pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
      description: 'The city that a Pix code names',
      examples: ['São Paulo'],
    }),
    variables: ['ENTITY_BR_PIX_CITY'],
    first: ({ pixKey }) => pixKey?.city ?? '',
  }),
} as const

/** Of the settings of the Brazilian legal entity, once they are changed. */
export const pixProblems = ({ pix_key: key, pix_city: city }: { pix_key: string; pix_city: string }): Fields =>
  key !== '' && city.trim() === '' ? { pix_city: 'is required with pix_key' } : {}
