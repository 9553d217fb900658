// Idempotency keys of checkouts: the same business act, the same key, so that a job that is run again does nothing new.

export const checkoutKey = ({ id, created_at }: { id: number; created_at: string }, act: string): string =>
  `invoice-${id}-${new Date(created_at).getTime()}-${act}`
