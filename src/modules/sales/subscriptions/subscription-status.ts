// Statuses of a subscription that mean something here. Imports no area, since areas below this one look for its end.

/** The status until the provider has answered. */
export const REQUESTED = 'requested'
export const CANCELLED = 'canceled'
/** The status until the first payment. */
export const UNPAID = 'incomplete'
/** Those of an order that the service itself bills, with the two before. */
export const ACTIVE = 'active'
export const TRIALING = 'trialing'
export const PAUSED = 'paused'

/** Final statuses; null: the order has no subscription. */
const ENDED: readonly (string | null)[] = [null, CANCELLED, 'incomplete_expired']
export const hasEnded = ({ subscription_status: status }: { subscription_status: string | null }): boolean =>
  ENDED.includes(status)

/** Whether it is charged: it was paid once, and is neither paused nor over. */
export const isRunning = ({ subscription_status: status }: { subscription_status: string | null }): boolean =>
  status !== null && RUNNING.includes(status)
const RUNNING = ['active', 'trialing', 'past_due', 'unpaid']
