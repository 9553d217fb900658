// Prometheus metrics at /metrics: process, routes, jobs, connections, outgoing calls, version. The values of labels are
// known in advance (the pattern of a route, never a URL).
import { readFileSync } from 'node:fs'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#kernel/values/errors.ts'
import type { ObserveCall } from '#kernel/network/measured.ts'
import type { PoolState } from '#kernel/database/pool-state.ts'
import type { ReplicaState } from '#kernel/database/replica.ts'
import { isEqual } from '#kernel/keys/secrets.ts'
import type { Transactions } from '#kernel/access/transactions.ts'
import type { Config } from '#config/config.ts'
import { jobMetrics } from './job-metrics.ts'
import { assertExpected } from '#http/server/local-only.ts'
import { routeOf } from '#http/server/request-log.ts'
import { replicaMetrics } from './replica-metrics.ts'

export type Metrics = {
  registry: Registry
  observeCall: ObserveCall
  /** The current figures. Does not reject when the database is away. */
  text: () => Promise<string>
}

type MetricsOptions = {
  transactions: Transactions
  jobKinds: readonly string[]
  pools: () => PoolState[]
  /** Null without one. */
  replica: () => ReplicaState | null
  /** Null unless the nodes of a cluster are read from. */
  nodeReads: () => Readonly<Record<string, number>> | null
  waiting: () => number
  /** Of the modules: makes gauges, and gives a function that updates them. */
  figures: (registry: Registry) => () => Promise<void>
  clock: () => Date
}

export function createMetrics(options: MetricsOptions): Metrics {
  const { transactions, jobKinds, pools, replica, nodeReads, waiting, figures, clock } = options
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const countJobs = jobMetrics({ registry, transactions, jobKinds, clock })
  const countOfModules = figures(registry)
  poolMetrics(registry, pools)
  if (replica()) replicaMetrics(registry, replica)
  const atNodes = new Gauge({
    name: 'titular_node_reads',
    help: 'Reads of organizations since the start, by what part of a cluster answered',
    labelNames: ['from'],
    registers: [registry],
    collect() {
      for (const [from, count] of Object.entries(nodeReads() ?? {})) atNodes.set({ from }, count)
    },
  })
  const longPolls: Gauge = new Gauge({
    name: 'titular_long_polls',
    help: 'Requests that wait for events',
    registers: [registry],
    collect: () => longPolls.set(waiting()),
  })
  new Gauge({
    name: 'titular_build_info',
    help: 'Always 1; the version is in the labels',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version: VERSION, node: process.version }, 1)
  const calls = new Histogram({
    name: 'titular_outgoing_call_duration_seconds',
    help: 'Calls to outside systems by target and outcome',
    labelNames: ['target', 'call', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 3, 10],
    registers: [registry],
  })
  return {
    registry,
    observeCall: ({ seconds, ...labels }) => calls.observe(labels, seconds),
    async text() {
      await Promise.all([countJobs(), countOfModules()])
      return registry.metrics()
    },
  }
}

const VERSION = versionOf(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

function versionOf(text: string): string {
  const { version }: { version?: unknown } = JSON.parse(text)
  return typeof version === 'string' ? version : 'unknown'
}

function poolMetrics(registry: Registry, pools: () => PoolState[]): void {
  const meanings = {
    size: 'Connections that a pool may have',
    open: 'Connections that a pool has',
    idle: 'Connections of a pool that nobody uses',
    waiting: 'Requests and jobs that wait for a connection of a pool',
  }
  for (const state of ['size', 'open', 'idle', 'waiting'] as const) {
    const gauge = new Gauge({
      name: `titular_database_pool_${state}`,
      help: meanings[state],
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const pool of pools()) gauge.set({ pool: pool.name }, pool[state])
      },
    })
  }
}

/** One label for all, since anybody can make up paths. */
const UNKNOWN_PATH = 'unknown'

/** Times the answers of every route. Histograms can be added over processes; summaries cannot. */
export function measureRoutes(app: FastifyInstance, { registry }: Pick<Metrics, 'registry'>): void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Answers by route',
    labelNames: ['method', 'route', 'status_code'],
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    const labels = { method: request.method, route: routeOf(request) ?? UNKNOWN_PATH, status_code: reply.statusCode }
    durations.observe(labels, reply.elapsedTime / 1000)
    done()
  })
}

type MetricsRouteOptions = { config: Pick<Config, 'metricsToken' | 'sandbox' | 'isLocal'>; metrics: Metrics }

export function metricsRoute(app: FastifyInstance, { config, metrics }: MetricsRouteOptions): void {
  const { metricsToken, sandbox } = config
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    const given = request.headers.authorization ?? ''
    if (metricsToken === null ? !sandbox : !isEqual(given, `Bearer ${metricsToken}`)) throw new AppError('NOT_FOUND')
    if (metricsToken === null) assertExpected(config, request)
    return reply.type(metrics.registry.contentType).send(await metrics.text())
  })
}
