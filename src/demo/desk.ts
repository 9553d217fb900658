// What the demo's desk for tickets works with: business hours, and texts for comments.
import { addCannedReply } from '#modules/support/canned-replies/change-canned-reply.ts'
import { demoBusinessHours } from './business-hours.ts'
import type { DemoService } from './demo-service.ts'

export async function demoDesk(service: DemoService): Promise<void> {
  await demoBusinessHours(service)
  await service.transactions.asSystem('the demo', service.origin(), async (ctx) => {
    await addCannedReply(ctx, {
      name: 'Restarted',
      body_pt_br:
        'Olá, {{requester_name}}! Reiniciamos o serviço. Se o chamado {{ticket_number}} não estiver resolvido, ' +
        'responda a esta mensagem.\n\n{{staff_name}}',
      body_en:
        'Hello {{requester_name}}, we have restarted the service. If ticket {{ticket_number}} is not solved, please ' +
        'answer this message.\n\n{{staff_name}}',
    })
    await addCannedReply(ctx, {
      name: 'Nota fiscal',
      company: 'entity_br',
      body_pt_br: 'Olá, {{requester_name}}! A nota fiscal está na página da fatura, em PDF e XML.',
      body_en: 'Hello {{requester_name}}, the tax invoice is on the page of the invoice, as PDF and XML.',
    })
  })
}
