// Events for others: what the areas publish, as a feed and as a catalogue of types.
import { area } from '#http/manifest/area.ts'
import type { PublishedResource } from '#kernel/data/published.ts'
import { createCatalogue } from './catalogue.ts'
import { webhookTypes } from './event-type.ts'
import { removeEvents } from './remove-events.ts'
import { eventRoutes } from './routes.ts'

export function eventsArea(published: readonly PublishedResource[]) {
  const catalogue = createCatalogue(published)
  return area({
    name: 'events',
    description: 'Everything that happened to the records of an organization, in its order.',
    routes: eventRoutes(catalogue),
    jobs: [removeEvents],
    webhooks: webhookTypes(catalogue),
  })
}
