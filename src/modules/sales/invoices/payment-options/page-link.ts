// The link of an invoice's page, which is in its mails. It never ends: the page shows what is due now, and how it is
// paid now. Nothing is stored: the token is signed, and names the invoice alone.
import type { Ports } from '#kernel/data/context.ts'
import { derive, isEqual } from '#kernel/keys/secrets.ts'

export const INVOICE_PAGE = '/invoices'

type Signing = { secretKey: string; settings: Pick<Ports['settings'], 'publicUrl'> }

export const invoicePageUrl = ({ secretKey, settings }: Signing, org: number, id: number): string =>
  `${settings.publicUrl}${INVOICE_PAGE}/${tokenFor(secretKey, org, id)}`

const tokenFor = (secretKey: string, org: number, id: number): string =>
  `${org}.${id}.${derive(secretKey, 'invoice-page', org, id).toString('base64url')}`

/** The invoice that a genuine token names, else null. */
export function invoiceOfToken(secretKey: string, token: string): { org: number; id: number } | null {
  const [, organization, invoice] = /^(\d{1,15})\.(\d{1,15})\.[\w-]{43}$/.exec(token) ?? []
  if (organization === undefined || invoice === undefined) return null
  const named = { org: Number(organization), id: Number(invoice) }
  return isEqual(token, tokenFor(secretKey, named.org, named.id)) ? named : null
}
