// A tax invoice as clients get it: with what follows from it, and an explanation of a frequent error in the caller's
// language.
import { sumOfWithheld } from '#modules/sales/tax-withholding/withheld-tax.ts'
import { formatMoney, parseMoney } from '#kernel/values/money.ts'
import { notFound } from '#kernel/values/errors.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import { type Language, languageFrom } from '#texts/language.ts'
import { explainTaxError } from '#texts/tax-errors.ts'
import { type Detail, taxInvoices } from './queries.ts'
import { consultationUrl, type TaxInvoice } from './tax-invoice.ts'

const explained = (detail: Detail, language: Language): TaxInvoice => ({
  ...detail,
  net_total: formatMoney(parseMoney(detail.total, detail.currency) - sumOfWithheld(detail.withheld), detail.currency),
  consultation_url: detail.access_key === null ? null : consultationUrl(detail.access_key),
  error_explanation: detail.error_code === null ? null : explainTaxError(language, detail.error_code),
})

export const viewTaxInvoice = (org: number, id: number): ReadPlan<TaxInvoice> =>
  parts([taxInvoices.byId(org, id)], ([[detail]], { acceptLanguage, caller }) => {
    if (!detail) throw notFound()
    return explained(detail, languageFrom(acceptLanguage, languageFrom(caller.language, 'en')))
  })

export const changedTaxInvoice = async (ctx: OrganizationContext, id: number): Promise<TaxInvoice> =>
  explained(await taxInvoices.afterChange(ctx, id), languageFrom(ctx.caller.language, 'en'))
