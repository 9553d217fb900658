// Webhook deliveries for /metrics: how many wait, for how long, and how many endpoints fail.
import { Gauge, type Registry } from '@prometheus-io/client'

/** Of active endpoints; `oldest_due_seconds` is null when none is due. */
export type WebhookFigures = {
  first: number
  retry: number
  oldest_due_seconds: number | null
  active: number
  paused: number
  disabled: number
  failing: number
}

/** Gives a function that updates the figures; `latest` is null when the database is away. */
export function webhookMetrics(
  registry: Registry,
  latest: () => Promise<WebhookFigures[] | null>,
): () => Promise<void> {
  const registers = [registry]
  const pending = new Gauge({
    name: 'titular_webhook_deliveries_pending',
    help: 'Deliveries that wait for their first attempt (first) or for another one (retry), to active endpoints',
    labelNames: ['attempt'],
    registers,
  })
  const oldest = new Gauge({
    name: 'titular_webhook_deliveries_oldest_due_seconds',
    help: 'How long the oldest due delivery to an endpoint that does not fail has been due',
    registers,
  })
  const endpoints = new Gauge({
    name: 'titular_webhook_endpoints',
    help: 'Webhook endpoints by status; failing ones are active and have had no success since a failure',
    labelNames: ['status'],
    registers,
  })
  return async () => {
    const [figures] = (await latest()) ?? []
    for (const gauge of [pending, oldest, endpoints]) gauge.reset()
    if (!figures) return
    for (const attempt of ['first', 'retry'] as const) pending.set({ attempt }, figures[attempt])
    for (const status of ['active', 'paused', 'disabled', 'failing'] as const)
      endpoints.set({ status }, figures[status])
    oldest.set(figures.oldest_due_seconds ?? 0)
  }
}
