// The federal taxes of a declaration, the group `tribFed`: PIS/COFINS of the provider, what the recipient withholds.
import { formatMoney, parseMoney, parsePercent, sum } from '#kernel/values/money.ts'
import { type TaxName } from '#ports/federal-taxes.ts'
import { federalTaxesOf, type FiscalProfile } from '#ports/fiscal-profiles.ts'
import { type TaxDeclaration } from '#ports/tax-authority.ts'
import type { Problems } from './problems.ts'
import { percent } from './percent.ts'
import type { XmlValues } from './xml-writer.ts'

type Part = { declaration: TaxDeclaration; profile: FiscalProfile; problems: Problems }

const REAIS = 'BRL'

export function federalTaxes({ declaration, profile, problems }: Part): XmlValues | null {
  const { pis_cofins: own } = federalTaxesOf(profile, declaration.service) ?? {}
  const social = withheldBy(declaration, ['pis', 'cofins', 'csll'])
  if (social !== null && !own)
    problems.add(
      'PIS_COFINS',
      'PIS, COFINS or CSLL is withheld, but the fiscal profile has no situation of PIS/COFINS for the service',
      'federal',
    )
  const kept = {
    vRetCP: withheldBy(declaration, ['inss']),
    vRetIRRF: withheldBy(declaration, ['irrf']),
    // All three contributions (Nota Técnica SE/CGNFS-e 007/2026), so that vTotalRet has them.
    vRetCSLL: social,
  }
  if (!own && Object.values(kept).every((amount) => amount === null)) return null
  return { piscofins: own ? contributions(own, declaration) : null, ...kept }
}

type Contributions = { situation: string; pis?: string; cofins?: string }

/** The provider's own PIS and COFINS, whatever of them the recipient withholds, and which of them it does. */
function contributions({ situation, pis, cofins }: Contributions, declaration: TaxDeclaration): XmlValues {
  const { amount } = declaration
  const rated = pis !== undefined && cofins !== undefined && /^\d+\.\d\d$/.test(amount)
  return {
    CST: situation,
    ...(rated && {
      vBCPisCofins: amount,
      pAliqPis: percent(pis),
      pAliqCofins: percent(cofins),
      vPis: halfToEven(amount, pis),
      vCofins: halfToEven(amount, cofins),
    }),
    tpRetPisCofins: RETAINED[keyOf(declaration)],
  }
}

/** By which of PIS, COFINS and CSLL are withheld. */
const RETAINED: Record<string, string> = {
  '': '0',
  'pis,cofins,csll': '3',
  'pis,cofins': '4',
  pis: '5',
  cofins: '6',
  'cofins,csll': '7',
  csll: '8',
  'pis,csll': '9',
}
const keyOf = ({ withheld }: TaxDeclaration): string =>
  ['pis', 'cofins', 'csll'].filter((tax) => withheld.some((one) => one.tax === tax)).join(',')

export function withheldBy({ withheld }: TaxDeclaration, taxes: readonly TaxName[]): string | null {
  const amounts = withheld.filter(({ tax }) => taxes.includes(tax)).map(({ amount }) => parseMoney(amount, REAIS))
  return amounts.length === 0 ? null : formatMoney(sum(amounts), REAIS)
}

/** The technical note rounds a half to the even cent. */
function halfToEven(amount: string, rate: string): string {
  const whole = 10_000n
  const product = parseMoney(amount, REAIS) * parsePercent(rate)
  const [cents, rest] = [product / whole, product % whole]
  const isUp = 2n * rest > whole || (2n * rest === whole && cents % 2n === 1n)
  return formatMoney(isUp ? cents + 1n : cents, REAIS)
}
