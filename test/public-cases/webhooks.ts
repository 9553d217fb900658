import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import { crmScene, sendEvents } from '#test/scenes/crm.ts'
import { deadLetters } from '#test/scenes/commerce.ts'
import { stripeScene, sendEvent } from '#test/scenes/stripe.ts'
import { begun } from '#test/scenes/subscriptions.ts'
import { trackedTickets } from '#test/scenes/tracked-tickets.ts'
import { WEBHOOK_SECRET } from '#test/stand-ins/tracker.ts'
import type { PublicCase } from './public-case.ts'

export const webhooksCases: PublicCase[] = [
  {
    name: 'stripe-legacy-renewal',
    expected: 'a renewal is billed, whatever version the endpoint has',
    standard: 'Stripe, changelog 2025-03-31.basil',
    async check({ json }) {
      const at = await stripeScene()
      try {
        const payment = await begun(at, 1)
        const { id } = at.stripe.renew(payment.subscription)
        const { type, data } = json('event.json')
        const { currency, customer } = at.stripe.invoices.get(id) ?? {}
        const object = { ...data.object, id, customer, currency, subscription: payment.subscription }
        expect(await sendEvent(at, type, object)).toBe(200)
        const billed = (await at.buyer.get(`/invoices/order/${payment.order_id}`)).data
        expect(billed.map(({ status }: { status: string }) => status)).toEqual(['paid', 'paid'])
        expect(await deadLetters(at.app)).toEqual([])
      } finally {
        await at.close()
      }
    },
  },
  {
    name: 'hubspot-association',
    expected: 'an event of an association is ignored like each type that is not used',
    standard: 'HubSpot, webhooks API: fromObjectId and toObjectId in place of objectId',
    async check({ json }) {
      const at = await crmScene()
      try {
        expect((await sendEvents(at, json('events.json'))).status).toBe(200)
        const { data } = await at.administrator.get('/admin/inbound-events?source=hubspot')
        expect(data).toMatchObject([{ type: 'company.associationChange', state: 'ignored', error: null }])
        expect(await deadLetters(at.app)).toEqual([])
      } finally {
        await at.close()
      }
    },
  },
  {
    name: 'github-form',
    expected: 'an event in a form is read like one in JSON',
    standard: 'GitHub, webhooks: application/x-www-form-urlencoded is what a new one has',
    async check({ text }) {
      const at = await trackedTickets('github')
      try {
        const body = text('body.txt').trim()
        const signature = createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex')
        const headers = {
          'content-type': 'application/x-www-form-urlencoded',
          'x-github-event': 'issues',
          'x-github-delivery': 'form-1',
          'x-hub-signature-256': `sha256=${signature}`,
        }
        const answer = await at.app.world.anonymous.post('/webhooks/issue-tracker', body, headers)
        expect(answer, answer.raw.body).toMatchObject({ status: 200, message: 'Event stored' })
        await at.work()
        const stored = await at.app.database.query('select event from provider_events')
        expect(stored).toMatchObject([{ event: { kind: 'changed', issueId: '1' } }])
        expect(await deadLetters(at.app)).toEqual([])
      } finally {
        await at.close()
      }
    },
  },
]
