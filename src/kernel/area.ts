// One area as data: what its folder gives to the service. src/areas.ts lists the manifests; the routes, the jobs, the tags of
// the documents, what the search finds and the rules of the tests derive from them.
import type { Searchable } from './data/search.ts'
import type { Route } from './http/route.ts'
import type { Consumer } from './jobs/events.ts'
import type { Job } from './jobs/jobs.ts'

export type Area<Announcement = never> = {
  /** As its folder is called, and the paths that it declares. */
  readonly name: string
  /** One sentence, for whoever reads the API document. */
  readonly description: string
  readonly routes: readonly Route[]
  readonly jobs: readonly Job[]
  readonly consumers: readonly Consumer[]
  /** Mails on its events (src/areas/notifications, which the kernel does not know). */
  readonly announcements: readonly Announcement[]
  /** The tables that belong to it; statements of other areas name them only where test/sweeps/areas.test.ts says so. */
  readonly tables: readonly string[]
  /** What the search finds of it. */
  readonly searchable: readonly Searchable[]
}

export function area<Announcement = never>(
  manifest: Pick<Area, 'name' | 'description'> & Partial<Area<Announcement>>,
): Area<Announcement> {
  const { routes = [], jobs = [], consumers = [], announcements = [], tables = [], searchable = [], ...rest } = manifest
  const tagged = routes.map((one) => ({ ...one, tag: one.tag || rest.name }))
  return { ...rest, routes: tagged, jobs, consumers, announcements, tables, searchable }
}
