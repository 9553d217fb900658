// What of the service the demo is loaded with.
import type { Ports } from '#kernel/data/context.ts'
import type { Origin, Transactions } from '#kernel/access/transactions.ts'

export type DemoService = {
  ports: Ports
  transactions: Transactions
  /** Of changes by a command: the system, now. */
  origin(): Origin
  app: { log: { warn(message: string): void } }
}
