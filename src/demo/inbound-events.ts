// The demo's stored event of another system: one of the payment provider, of a type that is not used.
import { paymentSource } from '#modules/sales/payments/handle-payment-event.ts'
import { receiveEvent } from '#modules/messages/inbound/inbound-source.ts'
import type { DemoService } from './demo-service.ts'

const BODY = { id: 'evt_demo', object: 'event', type: 'customer.created', livemode: false }

export async function demoInboundEvent(service: DemoService): Promise<void> {
  await service.transactions.asSystem('the demo', service.origin(), (ctx) =>
    receiveEvent(ctx, paymentSource, {
      sender: { provider: 'sandbox', company: 'entity_br' },
      received: { kind: 'ignored', dedupeKey: BODY.id, providerType: BODY.type },
      body: Buffer.from(JSON.stringify(BODY)),
    }),
  )
}
