// Issues a license for a PLG entitlement, with its key and its limit of domains.
import { randomInt } from 'node:crypto'
import { insert } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid, notFound } from '#kernel/values/errors.ts'
import type { Integration } from '#kernel/values/integration.ts'
import { ownBody } from '#http/organization-body.ts'
import { type License, licensesTable, type NewLicense } from './license.ts'
import { type Issuable, licenses } from './queries.ts'

// Without 0/O, 1/I/L and U, because keys are read aloud and typed.
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUPS = 5
const GROUP_LENGTH = 5

type SoldLicense = {
  entitlement_id: number
  entitlement_code: string
  name: string
  expiresAt: string | null
  /** Of a subscription that runs; what is sold just now is marked later. */
  renews?: boolean
  quantity: number
  given?: Integration
  /** A new one, unless the customer has one already. */
  key?: string
}

export function issueLicense(ctx: OrganizationContext, sold: SoldLicense): Promise<License> {
  return insert(ctx, licensesTable, {
    ...sold.given,
    license_key: sold.key ?? licenseKey(),
    product_name: sold.name,
    status: 'active',
    entitlement_id: sold.entitlement_id,
    entitlement_code: sold.entitlement_code,
    activations_limit: sold.quantity,
    expires_at: sold.expiresAt,
    renews: sold.renews ?? false,
  })
}

/** POST /licenses: staff issue a license for an active PLG entitlement, ending no later than it. */
export async function createLicense(ctx: OrganizationContext, body: NewLicense, key?: string): Promise<License> {
  const { entitlement_id, product_name, activations_limit = 1, expires_at = null, ...given } = ownBody(ctx, body)
  const entitlement = await licenses.issuable(ctx, entitlement_id)
  if (!entitlement) throw notFound('Entitlement not found')
  if (entitlement.class !== 'PLG') throw invalid({ entitlement_id: 'must name an entitlement of the class PLG' })
  if (entitlement.status !== 'active')
    throw conflict('entitlement_not_active', `An entitlement that is ${entitlement.status} gets no license`)
  return issueLicense(ctx, {
    entitlement_id,
    entitlement_code: entitlement.code,
    name: product_name ?? entitlement.product_name,
    ...endWithin(ctx, entitlement, expires_at),
    quantity: activations_limit,
    given,
    ...(key !== undefined && { key }),
  })
}

/**
 * The given end, else the entitlement's; 422 when it is in the past or after the entitlement's. Where it is the
 * entitlement's, the license waits for the next payment with it, also after that end.
 */
export function endWithin(
  ctx: OrganizationContext,
  { expires_at: last, renews: waits }: Issuable,
  given: string | null,
): { expiresAt: string | null; renews: boolean } {
  const end = given ?? last
  const renews = waits && end !== null && last !== null && Date.parse(end) === Date.parse(last)
  if (end !== null && !renews && new Date(end) <= ctx.now) throw invalid({ expires_at: 'must lie in the future' })
  if (given !== null && last !== null && new Date(given) > new Date(last))
    throw invalid({ expires_at: 'must not lie behind the end of the entitlement' })
  return { expiresAt: end, renews }
}

const group = (): string => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** 25 characters in groups of five: 122 random bits. */
export function licenseKey(): string {
  return Array.from({ length: GROUPS }, group).join('-')
}

/** White space, dashes of any kind, which word processors put in place of ours, and what cannot be seen. */
const NO_PART = /[\s\p{Dash}\p{Default_Ignorable_Code_Point}]/gu

/** The key in its issued form, from a typed one in lower case, with spaces or without dashes. */
export function typedKey(text: string): string {
  const characters = text.toUpperCase().replace(NO_PART, '')
  if (characters.length !== GROUPS * GROUP_LENGTH) return text.trim()
  return (characters.match(new RegExp(`.{${GROUP_LENGTH}}`, 'g')) ?? []).join('-')
}
