// The manifest of an area. Its module lists it; routes, jobs, the tags of openapi.json, what the search finds and the
// rules of the tests derive from it.
import type { TSchema } from 'typebox'
import type { Action } from './actions.ts'
import type { InboundSource, Module } from './module.ts'
import type { Assumption } from '#kernel/jobs/preview.ts'
import type { PublishedResource } from '#kernel/data/published.ts'
import type { QueueSource } from './queue.ts'
import type { Searchable, StaffSearchable } from '#kernel/data/lists/search.ts'
import type { Route } from '#http/route.ts'
import type { Consumer } from '#kernel/data/events.ts'
import type { Job } from '#kernel/jobs/jobs.ts'

/** What endpoints of others get, for the readers of openapi.json. */
export type WebhookType = { type: string; tag: string; description: string; schema: TSchema }

export type Area<Announcement = never> = {
  /** The name of its folder and a segment of its paths. */
  readonly name: string
  /** One sentence for the readers of openapi.json. */
  readonly description: string
  readonly routes: readonly Route[]
  readonly jobs: readonly Job[]
  readonly consumers: readonly Consumer[]
  /** What a preview takes for granted of others. */
  readonly assumptions: readonly Assumption[]
  /** Mails on its events; their type is declared in modules/messages, which nothing here may import. */
  readonly announcements: readonly Announcement[]
  /** Its tables; statements of other areas may name them only where test/sweeps/areas.test.ts lists the pair. */
  readonly tables: readonly string[]
  /** What `GET /search` finds of it. */
  readonly searchable: readonly Searchable[]
  /** What only `GET /admin/search` finds of it. */
  readonly staffSearchable: readonly StaffSearchable[]
  /** Its records that wait for staff. */
  readonly waiting: readonly QueueSource[]
  /** What of it waits for the customer (`GET /me/actions`). */
  readonly actions: readonly Action[]
  /** What customers see of its tables' events. */
  readonly published: readonly PublishedResource[]
  readonly webhooks: readonly WebhookType[]
  /** Routes, jobs and webhooks that depend on what all areas and modules declare. */
  fromAll?(all: Declarations<Announcement>): Parts
  /** Those that depend on the routes of all areas. */
  fromRoutes?(routes: readonly Route[]): Parts
}

type Parts = Partial<Pick<Area, 'routes' | 'jobs' | 'webhooks'>>

/** What all areas and modules declare. */
type Declarations<Announcement> = Pick<
  Area<Announcement>,
  'announcements' | 'tables' | 'searchable' | 'staffSearchable' | 'waiting' | 'actions' | 'published'
> & { readonly inboundSources: readonly InboundSource[]; readonly erasure: Required<NonNullable<Module['erasure']>> }

export function area<Announcement = never>(
  manifest: Pick<Area, 'name' | 'description'> & Partial<Area<Announcement>>,
): Area<Announcement> {
  const { routes = [], jobs = [], consumers = [], announcements = [], assumptions = [], ...of } = manifest
  const {
    tables = [],
    searchable = [],
    staffSearchable = [],
    waiting = [],
    actions = [],
    published = [],
    webhooks = [],
    ...rest
  } = of
  const tagged = routes.map((one) => ({ ...one, openapi: { tag: rest.name, ...one.openapi } }))
  const done = { jobs, consumers, announcements, assumptions, waiting, actions }
  return { ...rest, ...done, routes: tagged, tables, searchable, staffSearchable, published, webhooks }
}
