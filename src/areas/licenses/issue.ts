// A license for a PLG entitlement: its key, and the number of domains that it is good for.
import { randomInt } from 'node:crypto'
import { insert } from '#kernel/changes.ts'
import type { OrganizationContext } from '#kernel/context.ts'
import { type License, licensesTable } from './license.ts'

// No 0/O, 1/I/L, U: keys are read aloud and typed.
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUPS = 5
const GROUP_LENGTH = 5

type Sold = {
  entitlement_id: number
  entitlement_code: string
  name: string
  expiresAt: string | null
  quantity: number
}

export function issueLicense(ctx: OrganizationContext, sold: Sold): Promise<License> {
  return insert(ctx, licensesTable, {
    license_key: licenseKey(),
    product_name: sold.name,
    status: 'active',
    entitlement_id: sold.entitlement_id,
    entitlement_code: sold.entitlement_code,
    activations_limit: sold.quantity,
    expires_at: sold.expiresAt,
  })
}

/** 25 characters in groups of five: 122 random bits. */
export const licenseKey = (): string => Array.from({ length: GROUPS }, group).join('-')

const group = (): string => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
