// All senders of inbound webhooks, so that a stored event finds the job that handles it.
import { commerceSource } from '#areas/commerce/handle-commerce-event.ts'
import { crmSource } from '#areas/crm/handle-crm-event.ts'
import { provisioningSource } from '#areas/environments/settle-report.ts'
import { paymentSource } from '#areas/payments/handle-payment-event.ts'
import { trackerSource } from '#areas/issue-tracker/handle-tracker-event.ts'
import type { InboundSource } from './inbound-source.ts'

export const INBOUND_SOURCES: readonly InboundSource[] = [
  paymentSource,
  commerceSource,
  provisioningSource,
  trackerSource,
  crmSource,
]
