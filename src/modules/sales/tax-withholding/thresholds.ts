// Below which amounts federal taxes are not withheld, as data with the days from which each rule holds. Sources:
// - IRRF: Lei 9.430/1996, art. 67, and RIR/2018 (Decreto 9.580/2018), art. 724: a tax of R$ 10.00 or less is not
//   withheld, of each payment by itself.
// - PIS, COFINS and CSLL: Lei 10.833/2003, art. 31 § 3, by Lei 13.137/2015 from 2015-06-22: R$ 10.00 or less in all, of
//   each payment by itself. Before that, payments of R$ 5,000.00 or less: IN SRF 459/2004, art. 1 § 3.
// - INSS: IN RFB 2.110/2022, art. 115, I: less than the least amount of a payment slip, R$ 10.00.
import type { TaxName } from '#ports/federal-taxes.ts'

/** Amounts in cents. What is `taxUpTo` in all, or of a payment `paymentUpTo`, is not withheld. */
export type Threshold = { from: string; taxes: readonly TaxName[]; taxUpTo?: bigint; paymentUpTo?: bigint }

const SOCIAL = ['pis', 'cofins', 'csll'] as const satisfies readonly TaxName[]

export const THRESHOLDS: readonly Threshold[] = [
  { from: '1997-01-01', taxes: ['irrf'], taxUpTo: 10_00n },
  { from: '2004-07-26', taxes: SOCIAL, paymentUpTo: 5_000_00n },
  { from: '2015-06-22', taxes: SOCIAL, taxUpTo: 10_00n },
  { from: '1999-02-01', taxes: ['inss'], taxUpTo: 9_99n },
]

/** The latest rule of the tax that holds on the day. */
export const thresholdOn = (day: string, tax: TaxName): Threshold | undefined =>
  THRESHOLDS.filter(({ from, taxes }) => from <= day && taxes.includes(tax)).toSorted((one, other) =>
    one.from < other.from ? 1 : -1,
  )[0]
