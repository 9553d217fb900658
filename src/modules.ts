// The table of contents: eight modules, from the top floor down, and what their areas make together.
import { area, type Area as Manifest } from '#http/manifest/area.ts'
import type { Module } from '#http/manifest/module.ts'
import type { Route } from '#http/route.ts'
import type { Ports } from '#kernel/data/context.ts'
import { type Consumer, eventConsumers, type EventConsumers } from '#kernel/data/events.ts'
import { REASONS } from '#kernel/values/reasons.ts'
import type { Job } from '#kernel/jobs/jobs.ts'
import type { Assumption } from '#kernel/jobs/preview.ts'
import { delivery } from '#modules/delivery/module.ts'
import { documents } from '#modules/documents/module.ts'
import { identity } from '#modules/identity/module.ts'
import { integrations } from '#modules/integrations/module.ts'
import { createCatalogue } from '#modules/messages/events/catalogue.ts'
import { messages } from '#modules/messages/module.ts'
import { announcementConsumers, announcementJobs, assumedMail } from '#modules/messages/notifications/announce.ts'
import type { Announcement } from '#modules/messages/notifications/announcement.ts'
import { operations } from '#modules/operations/module.ts'
import { sales } from '#modules/sales/module.ts'
import { support } from '#modules/support/module.ts'

type Area = Manifest<Announcement>

export const MODULES: readonly Module<Announcement>[] = [
  operations,
  integrations,
  support,
  sales,
  identity,
  delivery,
  documents,
  messages,
]

/** In which openapi.json, a search and an export have the areas; those that are not named come last. */
export const ORDER = (
  'auth organizations contacts collaborators invites roles entitlements quotes payments products orders ' +
  'subscriptions refunds disputes invoices credit-balances account-statement credit-notes dunning ' +
  'tax-invoices municipal-parameters licenses environments sites sso services tickets teams ' +
  'canned-replies satisfaction issue-tracker contracts business-hours price-indexes downloads documents affiliates ' +
  'commerce lineage search events webhook-endpoints queue audit-log ' +
  'me bulk webhooks crm files documents-of-record imports reports ' +
  'mails admin staff vendor-keys exports privacy settings'
).split(' ')

const place = ({ name }: Area): number => ORDER.indexOf(name) + 1 || ORDER.length + 1
const inOrder: readonly Area[] = MODULES.flatMap(({ areas }) => areas).toSorted(
  (one, other) => place(one) - place(other),
)

export const declarations = {
  announcements: inOrder.flatMap(({ announcements }) => announcements),
  tables: inOrder.flatMap(({ tables }) => tables),
  searchable: inOrder.flatMap(({ searchable }) => searchable),
  staffSearchable: inOrder.flatMap(({ staffSearchable }) => staffSearchable),
  waiting: inOrder.flatMap(({ waiting }) => waiting),
  actions: inOrder.flatMap(({ actions }) => actions),
  published: inOrder.flatMap(({ published }) => published),
  inboundSources: MODULES.flatMap(({ inboundSources = [] }) => inboundSources),
  erasure: {
    working: MODULES.flatMap(({ erasure }) => erasure?.working ?? []),
    fiscal: MODULES.toReversed().flatMap(({ erasure }) => erasure?.fiscal ?? []),
    people: Object.fromEntries(MODULES.flatMap(({ erasure }) => Object.entries(erasure?.people ?? {}))),
    obstacles: Object.fromEntries(MODULES.flatMap(({ erasure }) => Object.entries(erasure?.obstacles ?? {}))),
  },
}
const withParts = inOrder.map((one) => area<Announcement>({ ...one, ...one.fromAll?.(declarations) }))
const theirRoutes = withParts.flatMap((one) => one.routes)

export const AREAS: readonly Area[] = withParts.map((one) =>
  area<Announcement>({ ...one, ...one.fromRoutes?.(theirRoutes) }),
)

export const { announcements } = declarations
/** By `errors.reason`: what it means, and what to do. */
export const reasons: Readonly<Record<string, string>> = Object.assign(
  {},
  REASONS,
  ...MODULES.map((one) => one.reasons),
)
/** The events that customers can get. */
export const catalogue = createCatalogue(declarations.published)
export const routes: readonly Route[] = AREAS.flatMap((one) => one.routes)
export const jobs: readonly Job[] = [...AREAS.flatMap((one) => one.jobs), ...announcementJobs(announcements)]
export const assumptions: readonly Assumption[] = [...AREAS.flatMap((one) => one.assumptions), assumedMail]
export const consumers: readonly Consumer[] = [
  ...AREAS.flatMap((one) => one.consumers),
  ...announcementConsumers(announcements),
]
/** Those that these ports give something to do. */
export const consumersWith = (ports: Ports, more: readonly Consumer[] = []): EventConsumers =>
  eventConsumers([...consumers, ...more].filter(({ isUsed }) => isUsed?.(ports) ?? true))
