// The sandbox tax authority: stands in for the national NFS-e system outside of us, with its own state, over its own HTTP.
import { join } from 'node:path'
import type { Answer, Exchange } from '../payments/exchange.ts'
import { answerProtocol, json } from './protocol.ts'
import { type KeyPair, keyPairFile } from './key-pair.ts'
import { invoiceStore } from './invoice-store.ts'
import { type Office, taxOffice } from './office.ts'

export type SandboxTaxAuthorityOptions = {
  /** State is kept under `<dataDir>/sandbox/tax/`. One process at a time. */
  dataDir: string
  /** The provider's name, which a declaration does not carry. */
  providerName: string
  now?: () => Date
  onError?: (error: unknown, about: string) => void
}

/** `handle` answers, with a path below the public URL: `/sandbox/tax/…` (the table is in protocol.ts). */
export type SandboxTaxAuthority = {
  handle(exchange: Exchange): Promise<Answer>
  /** What the taxpayer signs with; made when it is first asked for. */
  taxpayer(): Promise<KeyPair>
}

export function sandboxTaxAuthority(options: SandboxTaxAuthorityOptions): SandboxTaxAuthority {
  const folder = join(options.dataDir, 'sandbox', 'tax')
  const office: Office = taxOffice({
    store: invoiceStore(join(folder, 'invoices')),
    providerName: options.providerName,
    // Both keys wait until they are needed: making one takes a moment.
    keys: keyPairFile(join(folder, 'authority.pem'), 'Titular sandbox tax authority'),
    now: options.now ?? (() => new Date()),
  })
  return {
    taxpayer: keyPairFile(join(folder, 'taxpayer.pem'), 'Titular sandbox taxpayer'),
    async handle(exchange) {
      try {
        return await answerProtocol(office, exchange, exchange.path.replace(/^\/sandbox\/tax/, '').split('?')[0] ?? '')
      } catch (error) {
        options.onError?.(error, `${exchange.method} ${exchange.path}`)
        return json(500, { erro: 'Internal Server Error' })
      }
    },
  }
}
