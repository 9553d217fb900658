// The addresses of postal codes through BrasilAPI.

import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { storable } from '#kernel/values/text/text.ts'
import type { PostalCodeAnswer, PostalCodes } from '#ports/postal-codes.ts'
import { createLookup, LineOf, type LookupOptions } from './lookup.ts'

/** No longer than the address of an organization. */
const MAX_LENGTH = 255

const MaybeLine = Type.Optional(Type.Union([LineOf(0, MAX_LENGTH), Type.Null()]))
const Address = Type.Object({
  cep: Type.String(),
  state: Type.String({ pattern: '^[A-Z]{2}$' }),
  city: LineOf(1, MAX_LENGTH),
  neighborhood: MaybeLine,
  street: MaybeLine,
})

type FoundAddress = Extract<PostalCodeAnswer, { outcome: 'found' }>

export const createPostalCodes = (options: LookupOptions): PostalCodes & { close(): Promise<void> } =>
  createLookup(options, addressIn)

function addressIn(body: unknown, zipcode: string): FoundAddress | null {
  if (!Value.Check(Address, body) || body.cep.replace('-', '') !== zipcode) return null
  const city = textIn(body.city)
  if (city === null) return null
  const { street, neighborhood, state } = body
  return { outcome: 'found', street: textIn(street), neighborhood: textIn(neighborhood), city, state }
}

/** Null for what is empty. */
const textIn = (text: string | null | undefined): string | null => storable(text ?? '').trim() || null
