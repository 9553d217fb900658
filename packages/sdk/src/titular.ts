// The client: one for a service and a caller, cheap to make another one of with other options.
import { caller, type Answer, type CallerOptions } from './caller.ts'
import type { Credentials } from './credentials.ts'
import { type FileDownload, downloadOf } from './download.ts'
import { type Feed, type FeedEventOf, type FeedOperation, type FollowOptions, followFeed } from './feed.ts'
import type { AnyOperation, ArgumentsOf, DataOf, FileOperation, ItemOf } from './operation.ts'
import { type Pages, pagesOf } from './pages.ts'
import type { CallOptions, ClientScope } from './request.ts'
import { sleep, type Transport } from './send.ts'

export type TitularOptions = ClientScope &
  Pick<CallerOptions, 'onStepUp'> & {
    /** Where the service is, such as `https://account.example.com`; empty for a page of the service itself. */
    baseUrl: string
    credentials?: Credentials | undefined
    /** In place of those of the platform: proxies, tests. */
    fetch?: typeof fetch | undefined
    sleep?: Transport['sleep'] | undefined
    random?: Transport['random'] | undefined
  }

export type Titular = {
  /** The data of the answer; a refusal is thrown as an `ApiError`. */
  call: <One extends AnyOperation>(operation: One, ...rest: ArgumentsOf<One, CallOptions>) => Promise<DataOf<One>>
  /** The data with what is said about it: the part of the list, the sentence, the `ETag`, the id of the request. */
  answer: <One extends AnyOperation>(
    operation: One,
    ...rest: ArgumentsOf<One, CallOptions>
  ) => Promise<Answer<DataOf<One>>>
  /** All records of a list, asked for page by page as the loop goes on; `byPage()` gives the pages. */
  pages: <One extends AnyOperation>(operation: One, ...rest: ArgumentsOf<One, CallOptions>) => Pages<ItemOf<One>>
  /** A file as a stream, with its name. */
  download: <One extends FileOperation>(operation: One, ...rest: ArgumentsOf<One, CallOptions>) => Promise<FileDownload>
  /** The events of a feed as they happen, for as long as the loop goes on. */
  follow: <One extends FeedOperation>(
    operation: One,
    ...rest: ArgumentsOf<One, FollowOptions>
  ) => Feed<FeedEventOf<One>>
  /** The same caller with other options, such as another organization. */
  with: (scope: ClientScope) => Titular
}

export function createTitular(options: TitularOptions): Titular {
  const { fetch: given, sleep: pause = sleep, random = Math.random, ...others } = options
  // Looked up at each call, so that what replaces it later (a mock, an instrumentation) counts.
  const fetching: typeof fetch = given ?? ((...request) => globalThis.fetch(...request))
  const transport: Transport = { fetch: fetching, sleep: pause, random, now: Date.now }
  return titular({ ...others, transport }, true)
}

function titular(options: CallerOptions, isFirst: boolean): Titular {
  const { perform, answer, send } = caller(options)
  if (isFirst) options.credentials?.connect?.(send)
  return {
    call: async (operation, ...[parameters = {}, more = {}]) => (await answer(operation, parameters, more)).data,
    answer: (operation, ...[parameters = {}, more = {}]) => answer(operation, parameters, more),
    pages: (operation, ...[parameters = {}, more = {}]) =>
      pagesOf(operation, parameters, (page) => answer(operation, page, more)),
    download: async (operation, ...[parameters = {}, more = {}]) =>
      downloadOf(await perform(operation, parameters, more, true)),
    follow: (operation, ...[parameters = {}, more = {}]) =>
      followFeed(options.transport, parameters, more, (place, each) => answer(operation, place, each)),
    with: (scope) => titular({ ...options, ...scope }, false),
  }
}
