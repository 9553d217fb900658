// What a person agreed to, and the purposes for which the service processes personal data, each with its legal basis.
import { Type, type Static } from 'typebox'
import { ConsentPurpose, TextVersion } from '#modules/identity/auth/given-consents.ts'
import { Closed, Id, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'

export const Consent = Type.Object(
  {
    id: Id,
    purpose: ConsentPurpose,
    version: TextVersion,
    is_given: Type.Boolean({ description: 'False: withdrawn', examples: [true] }),
    at: Timestamp,
    source: Type.Enum(['api', 'portal', 'registration'], {
      description: '`portal`: by a browser session; `registration`: with the account',
      examples: ['portal'],
    }),
    ip: Nullable(Type.String({ examples: ['203.0.113.7'] })),
  },
  { description: 'A consent, or its withdrawal; it never changes' },
)
export type Consent = Static<typeof Consent>

export const NewConsent = Closed({ purpose: ConsentPurpose, version: TextVersion, is_given: Type.Boolean() })
export type NewConsent = Static<typeof NewConsent>

/** LGPD, art. 7. */
export const LEGAL_BASES = {
  consent: 'LGPD, art. 7, I',
  legal_obligation: 'LGPD, art. 7, II',
  contract: 'LGPD, art. 7, V',
  exercise_of_rights: 'LGPD, art. 7, VI',
  legitimate_interest: 'LGPD, art. 7, IX',
} as const
export type LegalBasis = keyof typeof LEGAL_BASES
const BASES: readonly LegalBasis[] = [
  'consent',
  'legal_obligation',
  'contract',
  'exercise_of_rights',
  'legitimate_interest',
]
export const LegalBasis = Type.Enum([...BASES], { examples: ['contract'] })

/** Why personal data are processed; the words are in src/texts/privacy.ts. */
export const PURPOSES = [
  { purpose: 'account', legal_basis: 'contract' },
  { purpose: 'billing', legal_basis: 'contract' },
  { purpose: 'fiscal_records', legal_basis: 'legal_obligation' },
  { purpose: 'support', legal_basis: 'contract' },
  { purpose: 'security', legal_basis: 'legitimate_interest' },
  { purpose: 'audit', legal_basis: 'exercise_of_rights' },
  { purpose: 'product_news', legal_basis: 'consent' },
] as const satisfies readonly { purpose: string; legal_basis: LegalBasis }[]
export type PurposeName = (typeof PURPOSES)[number]['purpose']

const Words = Type.Object({
  'pt-BR': Type.String({ examples: ['Cumprir obrigações fiscais'] }),
  en: Type.String({ examples: ['To meet fiscal obligations'] }),
})
export const Purpose = Type.Object(
  {
    purpose: Type.Enum(
      PURPOSES.map(({ purpose }) => purpose),
      { examples: ['fiscal_records'] },
    ),
    legal_basis: LegalBasis,
    law: Type.String({ examples: ['LGPD, art. 7, II'] }),
    description: Words,
  },
  { description: 'A purpose for which personal data are processed' },
)
export type Purpose = Static<typeof Purpose>

export const ConsentPaging = Closed(Paging)
