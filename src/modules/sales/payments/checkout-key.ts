// Idempotency keys of checkouts: one key for each operation on an invoice, so that a retried job has no second effect.

export const checkoutKey = ({ id, created_at }: { id: number; created_at: string }, act: string): string =>
  `invoice-${id}-${new Date(created_at).getTime()}-${act}`
