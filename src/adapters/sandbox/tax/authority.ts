// The sandbox tax authority: replaces the national NFS-e system, with its own state, over its own HTTP. Its code is
// loaded with the first request, since most runs of a sandbox have none.
import { join } from 'node:path'
import { onFirstUse } from '#kernel/values/on-first-use.ts'
import type { Answer, Exchange } from '../payments/exchange.ts'
import { invoiceStore } from './invoice-store.ts'
import type { KeyPair } from './key-pair.ts'
import { answerParameters } from './municipal-parameters.ts'

export type SandboxTaxAuthorityOptions = {
  /** State is kept under `<dataDir>/sandbox/tax/`. One process at a time. */
  dataDir: string
  /** The provider's name, which declarations do not contain. */
  providerName: string
  now?: () => Date
  onError?: (error: unknown, about: string) => void
}

/** `handle` answers requests to `/sandbox/tax/…` below the public URL (protocol.ts lists them). */
export type SandboxTaxAuthority = {
  handle(exchange: Exchange): Promise<Answer>
  /** The taxpayer's key pair; generated on first use. */
  taxpayer(): Promise<KeyPair>
}

export function sandboxTaxAuthority(options: SandboxTaxAuthorityOptions): SandboxTaxAuthority {
  const folder = join(options.dataDir, 'sandbox', 'tax')
  const keysOf = async (name: string, commonName: string) =>
    (await import('./key-pair.ts')).keyPairFile(join(folder, `${name}.pem`), commonName)
  const taxpayer = onFirstUse(() => keysOf('taxpayer', 'Titular sandbox taxpayer'))
  const office = onFirstUse(() => openOffice(options, folder, keysOf('authority', 'Titular sandbox tax authority')))
  return {
    taxpayer: async () => (await taxpayer())(),
    async handle(exchange) {
      const path = exchange.path.replace(/^\/sandbox\/tax/, '').split('?')[0] ?? ''
      if (path.startsWith('/parametrizacao/')) return answerParameters(exchange.method, path)
      try {
        return await (
          await office()
        )(exchange, path)
      } catch (error) {
        options.onError?.(error, `${exchange.method} ${exchange.path}`)
        const headers = { 'content-type': 'application/json; charset=utf-8' }
        return { status: 500, headers, body: '{"erro":"Internal Server Error"}' }
      }
    },
  }
}

async function openOffice(
  { providerName, now = () => new Date() }: SandboxTaxAuthorityOptions,
  folder: string,
  keys: Promise<() => Promise<KeyPair>>,
) {
  const [{ taxOffice }, { answerProtocol }] = await Promise.all([import('./office.ts'), import('./protocol.ts')])
  const store = invoiceStore(join(folder, 'invoices'))
  const office = taxOffice({ store, providerName, keys: async () => (await keys)(), now })
  return (exchange: Exchange, path: string) => answerProtocol(office, exchange, path)
}
