// A tax invoice as clients get it: with an explanation of a frequent error in the caller's language.
import { notFound } from '#kernel/values/errors.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import { type Language, languageFrom } from '#texts/language.ts'
import { explainTaxError } from '#texts/tax-errors.ts'
import { type Detail, taxInvoices } from './queries.ts'
import type { TaxInvoice } from './tax-invoice.ts'

const explained = (detail: Detail, language: Language): TaxInvoice => ({
  ...detail,
  error_explanation: detail.error_code === null ? null : explainTaxError(language, detail.error_code),
})

export const viewTaxInvoice = (org: number, id: number): ReadPlan<TaxInvoice> =>
  parts([taxInvoices.byId(org, id)], ([[detail]], { acceptLanguage, caller }) => {
    if (!detail) throw notFound()
    return explained(detail, languageFrom(acceptLanguage, languageFrom(caller.language, 'en')))
  })

export const changedTaxInvoice = async (ctx: OrganizationContext, id: number): Promise<TaxInvoice> =>
  explained(await taxInvoices.afterChange(ctx, id), languageFrom(ctx.caller.language, 'en'))
