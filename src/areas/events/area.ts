// Events for others: what the areas publish, as a feed and as a catalogue of types.
import { area } from '#kernel/area.ts'
import type { PublishedResource } from '#kernel/data/published.ts'
import { createCatalogue } from './catalogue.ts'
import { removeEvents } from './remove-events.ts'
import { eventRoutes } from './routes.ts'

export const eventsArea = (published: readonly PublishedResource[]) =>
  area({
    name: 'events',
    description: 'Everything that happened to the records of an organization, in its order.',
    routes: eventRoutes(createCatalogue(published)),
    jobs: [removeEvents],
    tables: ['event_positions'],
  })
