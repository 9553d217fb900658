// Events for others: what the areas publish, as a feed and as a catalogue of types.
import { area } from '#http/manifest/area.ts'
import { createCatalogue } from './catalogue.ts'
import { webhookTypes } from './event-type.ts'
import { removeEvents } from './remove-events.ts'
import { eventRoutes } from './routes.ts'

export const eventsArea = area({
  name: 'events',
  description: 'Everything that happened to the records of an organization, in its order.',
  jobs: [removeEvents],
  fromAll({ published }) {
    const catalogue = createCatalogue(published)
    return { routes: eventRoutes(catalogue), webhooks: webhookTypes(catalogue) }
  },
})
