// All senders of inbound webhooks, so that a stored event finds the job that handles it.
import { commerceSource } from '#modules/integrations/commerce/handle-commerce-event.ts'
import { crmSource } from '#modules/integrations/crm/handle-crm-event.ts'
import { provisioningSource } from '#modules/delivery/environments/settle-report.ts'
import { paymentSource } from '#modules/sales/payments/handle-payment-event.ts'
import { trackerSource } from '#modules/support/issue-tracker/handle-tracker-event.ts'
import type { InboundSource } from '../../messages/inbound/inbound-source.ts'

export const INBOUND_SOURCES: readonly InboundSource[] = [
  paymentSource,
  commerceSource,
  provisioningSource,
  trackerSource,
  crmSource,
]
