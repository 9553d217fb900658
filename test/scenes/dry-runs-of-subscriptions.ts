// Dry runs of what is asked of a subscription at the provider.
import { expect } from 'vitest'
import type { Case, DryRunScene, Request } from './dry-runs.ts'
import { begun, subscriptionPath } from './subscriptions.ts'

export const byStaff = ({ at: { acme } }: DryRunScene) => ({ speaker: acme.staff, organization: acme })

export const OF_SUBSCRIPTIONS: readonly Case[] = [
  ...(['now', 'period_end'] as const).map((when) => ({
    of: 'POST /orders/{id}/subscription/cancel',
    name: when,
    make: async (scene: DryRunScene): Promise<Request> => {
      const payment = await begun(scene.at, null)
      return {
        ...byStaff(scene),
        method: 'post',
        path: `${subscriptionPath(payment)}/cancel`,
        body: { at: when },
        requests: [`payment_provider cancel_subscription_${when}`],
      }
    },
  })),
  {
    of: 'DELETE /orders/{id}/subscription/cancel',
    name: 'at the provider',
    make: async (scene) => {
      const path = `${subscriptionPath(await begun(scene.at, null))}/cancel`
      expect((await scene.at.acme.staff.post(path, { at: 'period_end' })).status).toBe(200)
      await scene.at.app.service.worker.drain()
      return { ...byStaff(scene), method: 'delete', path, requests: ['payment_provider keep_subscription'] }
    },
  },
  {
    of: 'POST /orders/{id}/subscription/pause',
    name: 'at the provider',
    make: async (scene) => {
      const path = `${subscriptionPath(await begun(scene.at, null))}/pause`
      return { ...byStaff(scene), method: 'post', path, requests: ['payment_provider pause_subscription'] }
    },
  },
  {
    of: 'POST /orders/{id}/subscription/resume',
    name: 'at the provider',
    make: async (scene) => {
      const path = subscriptionPath(await begun(scene.at, null))
      expect((await scene.at.acme.staff.post(`${path}/pause`)).status).toBe(200)
      return {
        ...byStaff(scene),
        method: 'post',
        path: `${path}/resume`,
        requests: ['payment_provider resume_subscription'],
      }
    },
  },
  {
    of: 'PATCH /orders/{id}/subscription',
    name: 'at the provider',
    make: async (scene) => {
      const payment = await begun(scene.at, null)
      const [{ entitlement_code }] = (await scene.at.buyer.get(`/orders/${payment.order_id}`)).data.items
      return {
        ...byStaff(scene),
        method: 'patch',
        path: subscriptionPath(payment),
        body: { line_items: [{ entitlement_code, quantity: 7 }] },
        resources: ['order'],
        requests: ['payment_provider change_subscription'],
      }
    },
  },
]
