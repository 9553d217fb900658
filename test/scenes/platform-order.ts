// An order for the contract of the commerce port.
import type { PlatformOrderRequest } from '#ports/commerce.ts'

export const platformOrderRequest = (orderId: number): PlatformOrderRequest => ({
  mark: { organizationId: 7, orderId },
  number: `O-${orderId}`,
  createdAt: new Date(),
  status: 'pending',
  currency: 'BRL',
  total: '149.80',
  lines: [
    { description: '3 × Backup “Pro” 🚀', total: '119.70' },
    { description: 'Migration', total: '30.10' },
  ],
  billingName: 'São João “Ltda”',
  billingEmail: 'compras@joao.example',
})
