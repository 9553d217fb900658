// The settings of a legal entity's brand: how it looks to customers on pages, mails and documents. Its logo is no
// setting but a file beside them (modules/operations/settings/change-logo.ts).
import { Type } from 'typebox'
import { COMPANIES, Name } from '#kernel/values/schema.ts'
import { declared } from './setting-declaration.ts'

export const COLOR = /^#[0-9a-fA-F]{6}$/
const HOST = '[A-Za-z0-9.-]+'
const PRINTED = String.raw`[\x21-\x7e]`

/** Nothing that ends an attribute or a line, and no sign-in or mark by which an address looks like another one. */
export const SUPPORT_URL = new RegExp(
  `^(?!.*[<>"'\`\\\\])(?:https://${HOST}(?::\\d{1,5})?(?:[/?#]${PRINTED}*)?` +
    `|mailto:[\\x21-\\x3f\\x41-\\x7e]+@${HOST}(?:\\?${PRINTED}*)?)$`,
)

export const BRAND_SETTINGS = {
  brand_name: declared({
    of: COMPANIES,
    needs: 'settings',
    schema: { ...Name, description: 'Name by which customers know it, on pages and mails', examples: ['Titular'] },
    variables: ['BRAND'],
    first: ({ brand }) => brand,
  }),
  brand_color: declared({
    of: COMPANIES,
    needs: 'settings',
    schema: Type.String({
      pattern: COLOR.source,
      description:
        'Color of headings, lines and buttons on pages, mails and documents. Any color will do: where it could not ' +
        'be read, a shade of it that can is used',
      examples: ['#1f5fd0'],
    }),
    variables: ['BRAND_COLOR'],
    first: ({ brandColor }) => brandColor,
  }),
  support_url: declared({
    of: COMPANIES,
    needs: 'settings',
    schema: Type.String({
      maxLength: 255,
      pattern: `^$|${SUPPORT_URL.source}`,
      description:
        'Where customers find help, an https or a mailto address, at the foot of pages and mails; empty: no such link',
      examples: ['https://help.vendor.example'],
    }),
    variables: ['SUPPORT_URL'],
    first: ({ supportUrl }) => supportUrl ?? '',
  }),
} as const
