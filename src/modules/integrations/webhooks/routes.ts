// Inbound webhooks (docs/interface/integrations.md, sections of the systems that send them): checks the signature,
// stores the whole body once under the sender's id, and answers 200. A job of the area that it concerns handles it
// later, in any order.
import { Type } from 'typebox'
import { commerceSource } from '#modules/integrations/commerce/handle-commerce-event.ts'
import { crmSource } from '#modules/integrations/crm/handle-crm-event.ts'
import { provisioningSource } from '#modules/delivery/environments/apply-report.ts'
import { paymentSource } from '#modules/sales/payments/handle-payment-event.ts'
import { receiveMail, understood } from '#modules/support/answers-by-mail/receive-mail.ts'
import { trackerSource } from '#modules/support/issue-tracker/handle-tracker-event.ts'
import { signed } from '#kernel/values/permissions.ts'
import { AppError, invalid } from '#kernel/values/errors.ts'
import { route } from '#http/route.ts'
import { Closed, Company } from '#kernel/values/schema.ts'
import { receiveEvent } from '../../messages/inbound/inbound-source.ts'

export const webhookRoutes = [
  route({
    method: 'POST',
    path: '/webhooks/payment/{company}',
    access: signed('payment provider'),
    purpose: 'Receive an event of the payment provider.',
    description:
      'Signed over the raw bytes in the provider’s way. An event that came before answers 200 and does ' +
      'nothing; an unknown type is kept and ignored; one that is signed and cannot be read is kept for ' +
      'staff.',
    params: Closed({ company: Company }),
    data: Type.Null(),
    before: async ({ ports, now }, { params, raw }) => {
      const payments = ports.payments[params.company]
      if (!payments) throw unsigned('No payment provider is configured for this legal entity')
      const event = payments.readEvent(raw.headers, raw.body, now)
      if (event.kind === 'unsigned') throw unsigned(event.reason)
      return { provider: payments.provider, event }
    },
    run: async (ctx, { params, raw }, { provider, event }) => {
      const sender = { provider, company: params.company }
      const isNew = await receiveEvent(ctx, paymentSource, { sender, received: event, body: raw.body })
      return answer(isNew)
    },
  }),
  route({
    method: 'POST',
    path: '/webhooks/commerce/{company}',
    access: signed('commerce platform'),
    purpose: 'Receive an event of the commerce platform.',
    description:
      'Signed over the raw bytes in the platform’s way. An event that came before answers 200 and does ' +
      'nothing, and so does the unsigned form that a new webhook sends once; an unknown type is kept and ' +
      'ignored; one that is signed and cannot be read is kept for staff.',
    params: Closed({ company: Company }),
    data: Type.Null(),
    before: async ({ ports }, { params, raw }) => {
      const commerce = ports.commerce[params.company]
      if (!commerce) throw unsigned('No commerce platform is configured for this legal entity')
      const event = commerce.readEvent(raw.headers, raw.body)
      if (event.kind === 'unsigned') throw unsigned(event.reason)
      return { provider: commerce.platform, event }
    },
    run: async (ctx, { params, raw }, { provider, event }) => {
      if (event.kind === 'ping') return { data: null, message: 'Ready for events' }
      const sender = { provider, company: params.company }
      const isNew = await receiveEvent(ctx, commerceSource, { sender, received: event, body: raw.body })
      return answer(isNew)
    },
  }),
  route({
    method: 'POST',
    path: '/webhooks/crm/{company}',
    access: signed('CRM'),
    purpose: 'Receive events of the CRM.',
    description:
      'Signed over method, address, raw bytes and time in HubSpot’s way (v3). Each event of the list is ' +
      'stored once; a repeat does nothing, a type that is not used is kept and ignored, one that is signed ' +
      'and cannot be read is kept for staff.',
    params: Closed({ company: Company }),
    data: Type.Null(),
    before: async ({ ports, now }, { params, raw }) => {
      const crm = ports.crm[params.company]
      if (!crm) throw unsigned('No CRM is configured for this legal entity')
      const read = crm.readEvents(raw.headers, raw.body, now)
      if (read.kind === 'unsigned') throw unsigned(read.reason)
      return { provider: crm.provider, events: read.events }
    },
    run: async (ctx, { params }, { provider, events }) => {
      const sender = { provider, company: params.company }
      let stored = 0
      for (const event of events) if (await receiveEvent(ctx, crmSource, { sender, ...event })) stored++
      return { data: null, message: `${stored} of ${events.length} events stored` }
    },
  }),
  route({
    method: 'POST',
    path: '/webhooks/provisioning',
    access: signed('provisioning system'),
    purpose: 'Receive a report of the provisioning system.',
    description:
      'Signed as Standard Webhooks. `type` is `environment.provisioning`, `data` has `request_id`, `status` ' +
      '(done, pending, failed) and perhaps `url` or `error`. A report that came before answers 200 and does ' +
      'nothing; an unknown type is kept and ignored.',
    data: Type.Null(),
    fails: ['VALIDATION_ERROR'],
    before: async ({ ports, now }, { raw }) => {
      const report = ports.provisioning.readReport(raw.headers, raw.body, now)
      if (report.kind === 'unsigned') throw unsigned(report.reason)
      // The sender is the vendor's own system: its developers have to see what is wrong with a report.
      if (report.kind === 'unreadable') throw invalid({ data: report.reason })
      return report
    },
    run: async (ctx, { raw }, report) => {
      const sender = { provider: 'provisioning', company: '' } as const
      const isNew = await receiveEvent(ctx, provisioningSource, { sender, received: report, body: raw.body })
      return { data: null, message: isNew ? 'Report stored' : 'Report known already' }
    },
  }),
  route({
    method: 'POST',
    path: '/webhooks/issue-tracker',
    access: signed('issue tracker'),
    purpose: 'Receive an event of the issue tracker.',
    description:
      'Signed over the raw bytes in the way of Jira or GitHub. An event that came before answers 200 and ' +
      'does nothing; an unknown type is kept and ignored; one that is signed and cannot be read is kept for ' +
      'staff.',
    data: Type.Null(),
    before: async ({ ports: { issueTracker: tracker } }, { raw }) => {
      if (!tracker) throw unsigned('No issue tracker is configured')
      const event = tracker.readEvent(raw.headers, raw.body)
      if (event.kind === 'unsigned') throw unsigned(event.reason)
      return { provider: tracker.name, event }
    },
    run: async (ctx, { raw }, { provider, event }) => {
      const sender = { provider, company: '' } as const
      const isNew = await receiveEvent(ctx, trackerSource, { sender, received: event, body: raw.body })
      return answer(isNew)
    },
  }),
  route({
    method: 'POST',
    path: '/webhooks/mail',
    access: signed('mail provider'),
    purpose: 'Receive a mail that a provider passes on.',
    description:
      'A request of Postmark for one inbound mail, with `RawEmail`; the password of its HTTP Basic is the secret. A ' +
      'mail that came before answers 200 and does nothing; one of a program, or to no reply address, is kept and ' +
      'ignored; one that cannot be read is kept for staff. Mails that make a larger body than 1 MiB are 413.',
    data: Type.Null(),
    before: async ({ ports }, { raw }) => {
      const { inboundMail } = ports
      if (!inboundMail) throw unsigned('Nobody answers by mail')
      const sent = inboundMail.readRequest(raw.headers, raw.body)
      if (sent.kind === 'unsigned') throw unsigned(sent.reason)
      const mail = sent.kind === 'mail' ? await understood(ports, sent.mail) : { received: sent, body: raw.body }
      return { provider: inboundMail.name, mail }
    },
    run: async (ctx, _input, { provider, mail }) => answer(await receiveMail(ctx, provider, mail)),
  }),
]

const answer = (isNew: boolean) => ({ data: null, message: isNew ? 'Event stored' : 'Event known already' })

/**
 * Also where no such system is configured, so that the answer does not tell which there are; the log has the reason
 * (debug).
 */
const unsigned = (reason: string): AppError =>
  new AppError('AUTHENTICATION_ERROR', { message: 'The signature is missing or wrong', cause: new Error(reason) })
