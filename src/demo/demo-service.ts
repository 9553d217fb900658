// What of the service the demo is loaded with.
import type { IoContext, Ports } from '#kernel/data/context.ts'
import type { Origin, Transactions } from '#kernel/access/transactions.ts'

export type DemoService = {
  ports: Ports
  transactions: Transactions
  /** Of changes by a command: the system, now. */
  origin(): Origin
  app: { log: { warn(message: string): void } }
  sandbox: { systems: readonly OtherSystem[] } | null
}

type Exchange = { method: string; path: string; headers: Record<string, string>; body: Uint8Array | null }
/** A system of the sandbox. */
type OtherSystem = { urls: readonly string[]; handle(exchange: Exchange): Promise<unknown> }

/** For what the demo does outside of transactions. */
export function demoIo({ ports, transactions, ...service }: DemoService, organizationId: number | null): IoContext {
  const origin = service.origin()
  const io: IoContext = {
    ...origin,
    realNow: origin.now,
    ports,
    organizationId,
    acceptLanguage: undefined,
    read: (statement) => transactions.read(organizationId, statement),
    within: () => io,
  }
  return io
}
