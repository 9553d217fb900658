// What a person agrees to when they register: texts and their versions, as `POST /privacy/consents` records them later.
import { Type, type Static } from 'typebox'
import { type Statement, sql } from '#kernel/values/sql.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import { Closed } from '#kernel/values/schema.ts'

/** The texts that a person accepts, and the one purpose that needs their consent. */
export const CONSENTS = ['terms_of_use', 'privacy_notice', 'product_news'] as const
export const ConsentPurpose = Type.Enum(CONSENTS, { examples: ['product_news'] })

export const TextVersion = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: '^[\\w.:-]+$',
  description: 'Of the text that the person was given',
  examples: ['2026-11'],
})

export const GivenConsents = Type.Array(Closed({ purpose: ConsentPurpose, version: TextVersion }), {
  maxItems: CONSENTS.length,
  description: 'What the person agreed to in the form, each purpose once',
  examples: [[{ purpose: 'terms_of_use', version: '2026-11' }]],
})
export type GivenConsents = Static<typeof GivenConsents>

export function consentRules({ consents = [] }: { consents?: GivenConsents }): Fields {
  const purposes = consents.map(({ purpose }) => purpose)
  return new Set(purposes).size < purposes.length ? { consents: 'names a purpose twice' } : {}
}

export const addGivenConsents = (
  consents: GivenConsents,
  { userId, at, ip }: { userId: number; at: Date; ip: string | null },
): Statement => sql`
  insert into consents (user_id, purpose, version, is_given, at, source, ip)
  select ${userId}, c.purpose, c.version, true, ${at}, 'registration', ${ip}
    from jsonb_to_recordset(${storableJson(consents)}::jsonb) as c (purpose text, version text)`
