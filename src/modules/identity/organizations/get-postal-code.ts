// GET /postal-codes/{zipcode}: the address that a Brazilian postal code stands for.
import { type Static, Type } from 'typebox'
import type { IoContext } from '#kernel/data/context.ts'
import { invalid } from '#kernel/values/errors.ts'
import { Closed, Nullable } from '#kernel/values/schema.ts'

export const ByZipcode = Closed({
  zipcode: Type.String({ description: 'Eight digits, with or without the hyphen', examples: ['01310-100'] }),
})
export const PostalCode = Type.Object({
  zipcode: Type.String({ description: 'Without the hyphen', examples: ['01310100'] }),
  address: Nullable(
    Type.String({
      description: 'The street, without a number; null where a town has one code',
      examples: ['Avenida Paulista'],
    }),
  ),
  neighborhood: Nullable(Type.String({ description: 'Null where a town has one code', examples: ['Bela Vista'] })),
  city: Nullable(Type.String({ description: 'Null unless the code was found', examples: ['São Paulo'] })),
  state: Nullable(Type.String({ description: 'Its two letters; null unless the code was found', examples: ['SP'] })),
  status: Type.Enum(['found', 'not_found', 'unknown'], {
    description:
      '`not_found` does not prove that there is no such code; `unknown`: nobody was asked, or nobody gave an answer',
    examples: ['found'],
  }),
})
export type PostalCode = Static<typeof PostalCode>

const NOWHERE = { address: null, neighborhood: null, city: null, state: null }

/** Outside of transactions, since another system is asked. */
export async function getPostalCode({ ports }: IoContext, given: string): Promise<PostalCode> {
  if (!/^\d{5}-?\d{3}$/.test(given)) throw invalid({ zipcode: 'must be eight digits such as 01310-100' })
  const zipcode = given.replace('-', '')
  const answer = await ports.postalCodes.find(zipcode)
  if (answer.outcome !== 'found')
    return { zipcode, ...NOWHERE, status: answer.outcome === 'not_found' ? 'not_found' : 'unknown' }
  const { street: address, neighborhood, city, state } = answer
  return { zipcode, address, neighborhood, city, state, status: 'found' }
}
