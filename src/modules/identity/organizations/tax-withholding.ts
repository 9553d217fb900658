// The taxes that an organization in Brazil keeps back when it pays an invoice, which staff set (docs/tax-invoices.md).
import { Type, type Static } from 'typebox'
import { Closed, Id } from '#kernel/values/schema.ts'

/** ISS is not among them: which municipalities say so differs. */
const FEDERAL = ['irrf', 'pis', 'cofins', 'csll', 'inss'] as const

export const TaxWithholding = Type.Object(
  {
    federal: Type.Array(Type.Enum(FEDERAL), {
      uniqueItems: true,
      maxItems: FEDERAL.length,
      description: 'The federal taxes that it withholds, at the rates of the fiscal profile for each service',
      examples: [['irrf', 'pis', 'cofins', 'csll']],
    }),
    iss_municipalities: Type.Array(Type.String({ pattern: '^[0-9]{7}$' }), {
      uniqueItems: true,
      maxItems: 100,
      description: 'IBGE codes of the municipalities whose ISS it withholds: that of the fiscal profile counts',
      examples: [['3550308']],
    }),
  },
  { description: 'The taxes that the customer keeps back and pays to the treasury itself' },
)
export type TaxWithholding = Static<typeof TaxWithholding>

export const NewTaxWithholding = Closed({
  organization_id: Type.Optional(Id),
  federal: Type.Optional(TaxWithholding.properties.federal),
  iss_municipalities: Type.Optional(TaxWithholding.properties.iss_municipalities),
})
export type NewTaxWithholding = Static<typeof NewTaxWithholding>
