// The shapes of a legal entity's brand as anybody may read it.
import { type Static, Type } from 'typebox'
import { usualCompany } from '#kernel/values/company.ts'
import { Closed, Company, Nullable } from '#kernel/values/schema.ts'
import { logoUrl, type StoredBrand } from '#ports/brand.ts'
import type { Settings } from '#kernel/data/context.ts'
import { shadesOf } from '#texts/brand.ts'

/** Who names no legal entity sees the one that sells to those who name no country. */
export const companyOf = ({ company = usualCompany(null) }: BrandQuestion): Company => company

export const BrandQuestion = Closed({
  company: Type.Optional(
    Type.Enum(['entity_br', 'entity_global'], {
      description: 'The legal entity whose brand it is; `entity_br` when none is named',
      examples: ['entity_br'],
    }),
  ),
})
export type BrandQuestion = Static<typeof BrandQuestion>

const Color = (description: string, example: string) =>
  Type.String({ pattern: '^#[0-9a-f]{6}$', description, examples: [example] })

export const PublicBrand = Type.Object(
  {
    company: Company,
    name: Type.String({ description: 'By which customers know it', examples: ['Titular'] }),
    color: Color('Of buttons and lines', '#1f5fd0'),
    color_text: Color('Black or white, whichever is read better on `color`', '#ffffff'),
    color_on_light: Color(
      'A shade of `color` for text and lines on light pages, with a contrast of 4.5 to them, and to white text on it',
      '#1f5fd0',
    ),
    color_on_dark: Color(
      'A shade of `color` for text and lines on dark pages, with a contrast of 4.5 to them, and to black text on it',
      '#5d8bdd',
    ),
    logo_url: Nullable(
      Type.String({
        description: 'Where its logo is, for whoever wants it; null: there is none, and the name is shown',
        examples: ['https://portal.vendor.example/api/v1/brand/logo?company=entity_br'],
      }),
    ),
    support_url: Nullable(
      Type.String({
        description: 'Where customers find help, an https or a mailto address; null: nothing is known',
        examples: ['https://help.vendor.example'],
      }),
    ),
  },
  { description: 'How a legal entity of the vendor looks to customers' },
)
export type PublicBrand = Static<typeof PublicBrand>

export function publicBrand(settings: Settings, company: Company, stored: StoredBrand): PublicBrand {
  const color = stored.color.toLowerCase()
  const { text, onLight, onDark } = shadesOf(color)
  return {
    company,
    name: stored.name,
    color,
    color_text: text,
    color_on_light: onLight,
    color_on_dark: onDark,
    logo_url: stored.logo_sha256 === null ? null : logoUrl(settings, company),
    support_url: stored.support_url || null,
  }
}
