// Deliveries to webhook endpoints.
import { number } from './readers.ts'
import type { Variables } from './variable.ts'

export const WEBHOOKS = {
  concurrency: {
    name: 'WEBHOOKS_CONCURRENCY',
    meaning: 'Webhook endpoints that one process sends to at once',
    fallback: '32',
    read: number(2, 512),
  },
  deliveryDays: {
    name: 'WEBHOOK_DELIVERY_DAYS',
    meaning: 'Days that the log of webhook deliveries goes back',
    fallback: '30',
    read: number(1, 3650),
  },
} as const satisfies Variables
