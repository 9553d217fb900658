// Subscriptions, which are columns of their order (spec 6.2).
import { area } from '#http/manifest/area.ts'
import { subscriptionAnnouncements } from './announcements.ts'
import { subscriptionAssumptions } from './assumptions.ts'
import { subscriptionConsumers, subscriptionJobs } from './jobs.ts'
import { subscriptionRoutes } from './routes.ts'

export const subscriptionsArea = area({
  name: 'subscriptions',
  description: 'What an order is charged for automatically.',
  routes: subscriptionRoutes,
  jobs: subscriptionJobs,
  consumers: subscriptionConsumers,
  announcements: subscriptionAnnouncements,
  assumptions: subscriptionAssumptions,
})
