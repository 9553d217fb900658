// The federal taxes of a service, and the taxes that its recipient withholds, as ports of tax authorities have them.
import { type Static, Type } from 'typebox'

export const Percent = Type.String({ pattern: '^[0-9]{1,3}(\\.[0-9]{1,2})?$', examples: ['2.00'] })

/** The taxes that a recipient in Brazil may have to withhold from the price of a service. */
export const WITHHELD_TAXES = ['irrf', 'pis', 'cofins', 'csll', 'iss', 'inss'] as const
export type TaxName = (typeof WITHHELD_TAXES)[number]

/** A tax that the recipient withholds: `amount` is `percent` of `base`, rounded half away from zero. */
export const WithheldTax = Type.Object({
  tax: Type.Enum(WITHHELD_TAXES, { examples: ['irrf'] }),
  percent: Type.String({ description: 'In percent', examples: ['1.50'] }),
  base: Type.String({ description: 'What it is computed from', examples: ['1000.00'] }),
  amount: Type.String({ description: 'What the customer keeps back', examples: ['15.00'] }),
})
export type WithheldTax = Static<typeof WithheldTax>

/** The federal taxes of a service. */
export const FederalTaxes = Type.Object(
  {
    /** PIS/COFINS of the provider: its situation (`CST`), and the rates in percent where the situation has some. */
    pis_cofins: Type.Optional(
      Type.Object(
        {
          situation: Type.String({ pattern: '^(0[0-9]|49|5[0-6]|6[0-7]|7[0-5]|9[89])$' }),
          pis: Type.Optional(Percent),
          cofins: Type.Optional(Percent),
        },
        { additionalProperties: false },
      ),
    ),
    /** In percent, what recipients that withhold the tax keep back. */
    withheld: Type.Optional(
      Type.Object(
        {
          irrf: Type.Optional(Percent),
          pis: Type.Optional(Percent),
          cofins: Type.Optional(Percent),
          csll: Type.Optional(Percent),
          inss: Type.Optional(Percent),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type FederalTaxes = Static<typeof FederalTaxes>
