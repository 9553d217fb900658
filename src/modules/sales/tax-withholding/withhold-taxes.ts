// The taxes that the organization keeps back of an invoice that is finalized: by the organization, the fiscal profile
// of the day and the services of the lines.
import type { LineItem } from '#modules/delivery/products/line-item.ts'
import type { TaxWithholding } from '#modules/identity/organizations/tax-withholding.ts'
import { hasAgreement, publishedRate } from '#modules/sales/municipal-parameters/known-parameters.ts'
import { rateRule } from '#modules/sales/municipal-parameters/rate-rule.ts'
import { type Codes, codesFor, serviceOf } from '#modules/sales/municipal-parameters/service-codes.ts'
import { shared } from '#modules/sales/invoices/shares.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { isBrazil } from '#kernel/values/company.ts'
import { formatMoney, parseMoney } from '#kernel/values/money.ts'
import type { Company } from '#kernel/values/schema.ts'
import { federalTaxesOf, fiscalProfileOn, type FiscalProfile, type ServiceCode } from '#ports/fiscal-profiles.ts'
import { withholdingOf } from './queries.ts'
import { type InvoiceWithheldTax, REAIS, sumOfWithheld, type WithheldLine, withheldOf } from './withheld-tax.ts'

type InvoiceTerms = {
  company: Company
  currency: string
  total: string
  line_items: readonly LineItem[]
  issue_date: string
  /** Of the recipient. */
  country: string | null
}
/** The profile of the day, and what the organization keeps back; null: nothing. */
export type KnownTaxes = { profile: FiscalProfile | null; withholding: TaxWithholding | null }
export type WithheldSums = { withheld: InvoiceWithheldTax[]; withheld_total: string }

/** Nothing but by customers in Brazil, of what its legal entity bills in reais. What is not `known` is read. */
export async function withholdTaxes(
  ctx: OrganizationContext,
  billed: InvoiceTerms,
  known?: KnownTaxes,
): Promise<WithheldSums> {
  const { company, currency, issue_date: day } = billed
  if (company !== 'entity_br' || currency !== REAIS || !isBrazil(billed.country)) return nothing(currency)
  const { profile, withholding } = known ?? (await taxesOf(ctx, day))
  if (profile === null || !keepsBack(withholding ?? NONE, profile)) return nothing(currency)
  const codes = await codesFor(ctx, billed.line_items, { profile, competence: day })
  const withheld = withheldOf(linesOf(billed, { codes, profile, withholding: withholding ?? NONE }), day)
  return { withheld, withheld_total: formatMoney(sumOfWithheld(withheld), REAIS) }
}

async function taxesOf(ctx: OrganizationContext, day: string): Promise<KnownTaxes> {
  const [profile, withholding] = await Promise.all([
    fiscalProfileOn(ctx, day),
    one(ctx, withholdingOf(ctx.organizationId)),
  ])
  return { profile, withholding }
}

const NONE: TaxWithholding = { federal: [], iss_municipalities: [] }

const nothing = (currency: string): WithheldSums => ({ withheld: [], withheld_total: formatMoney(0n, currency) })

const keepsBack = ({ federal, iss_municipalities }: TaxWithholding, profile: FiscalProfile): boolean =>
  federal.length > 0 || iss_municipalities.includes(profile.municipality) || profile.iss_withheld === '2'

type Facts = { codes: Codes; profile: FiscalProfile; withholding: TaxWithholding }

/** By share of the total, which lines need not add up to. An invoice without lines is of one service. */
function linesOf({ line_items, total }: InvoiceTerms, facts: Facts): WithheldLine[] {
  const whole = parseMoney(total, REAIS)
  if (line_items.length === 0)
    return [{ number: 1, amount: whole, rates: ratesOf(facts, serviceOf(facts.codes, null)) }]
  const shares = shared(
    whole,
    line_items.map((line) => parseMoney(line.total, REAIS)),
  )
  return line_items.map((line, index) => ({
    number: index + 1,
    amount: shares[index] ?? 0n,
    rates: ratesOf(facts, serviceOf(facts.codes, line)),
  }))
}

function ratesOf(facts: Facts, service: ServiceCode | null): WithheldLine['rates'] {
  if (service === null) return []
  const { withheld = {} } = federalTaxesOf(facts.profile, service) ?? {}
  const rates: Partial<Record<string, string>> = withheld
  const federal = facts.withholding.federal.flatMap((tax) => {
    const { [tax]: rate } = rates
    return rate === undefined ? [] : [[tax, rate] as const]
  })
  const iss = issRateOf(facts, service)
  return iss === null ? federal : [...federal, ['iss', iss] as const]
}

/** The one that is declared, else the published one that the authority computes by; null: ISS is not withheld. */
function issRateOf({ codes, profile, withholding }: Facts, service: ServiceCode): string | null {
  const isWithheld = profile.iss_withheld === '2' || withholding.iss_municipalities.includes(profile.municipality)
  if (!isWithheld || profile.iss !== '1' || profile.simples === '2') return null
  const isOwn = rateRule({ ...profile, iss_withheld: '2' }, hasAgreement(codes.known)) === 'own'
  return service.iss_rate ?? (isOwn ? undefined : publishedRate(codes.known, service)) ?? null
}
