// The static Pix code of a key with an amount, to copy or to scan ("BR Code", the Central Bank of Brazil's manual of
// 2020, which is EMV's merchant-presented QR code). It has no end, so that it is never out of date.

import { brCode, field } from '#ports/br-code.ts'

export type PixReceiver = {
  key: string
  name: string
  city: string
}

/**
 * `amount`: null where the payer chooses it. `reference`: what the receiver finds the payment by; 25 letters and digits
 * of it are kept.
 */
export function pixCode({ key, name, city }: PixReceiver, amount: string | null, reference: string): string {
  return brCode([
    field('00', '01'),
    field('26', field('00', 'br.gov.bcb.pix') + field('01', key)),
    field('52', '0000'),
    field('53', '986'),
    amount === null ? '' : field('54', amount),
    field('58', 'BR'),
    field('59', plain(name, LONGEST_NAME)),
    field('60', plain(city, LONGEST_CITY)),
    field('62', field('05', reference.replace(/[^a-zA-Z0-9]/g, '').slice(0, LONGEST_REFERENCE) || NO_REFERENCE)),
  ])
}

const LONGEST_NAME = 25
const LONGEST_CITY = 15
const LONGEST_REFERENCE = 25
const NO_REFERENCE = '***'

/** Banks accept letters without accents for certain. */
const plain = (text: string, longest: number): string =>
  text
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, longest)
    .trim() || 'NA'
