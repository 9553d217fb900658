// The process: data directory, log, metrics, hooks, jobs at once, shutdown.
import { bearerToken, number, oneOf, path, text } from './readers.ts'
import type { Variables } from './variable.ts'

export const PROCESS = {
  dataDir: {
    name: 'DATA_DIR',
    meaning: 'Where the embedded database, keys, sandbox mail and files live',
    fallback: './data',
    read: path,
  },
  logLevel: {
    name: 'LOG_LEVEL',
    meaning: 'debug, info, warn, error or silent',
    fallback: 'info',
    read: oneOf('debug', 'info', 'warn', 'error', 'silent'),
  },
  metricsToken: {
    name: 'METRICS_TOKEN',
    meaning: 'Bearer token for `/metrics`; without it `/metrics` is there in the sandbox only',
    read: bearerToken,
    secret: true,
  },
  hooks: { name: 'HOOKS', meaning: 'Path of a module with in-process hooks', read: text },
  jobsConcurrency: {
    name: 'JOBS_CONCURRENCY',
    meaning: 'Jobs that one process works on at once',
    fallback: '4',
    read: number(1, 64),
  },
  jobsLeaseSeconds: {
    name: 'JOBS_LEASE_SECONDS',
    meaning: 'After so long the job of a process that died is taken over',
    fallback: '60',
    read: number(3, 3600),
  },
  workPort: {
    name: 'WORK_PORT',
    meaning: 'Port on which `work` serves `/healthz`, `/readyz` and `/metrics`; none when unset',
    read: number(1, 65_535),
  },
  shutdownDelaySeconds: {
    name: 'SHUTDOWN_DELAY_SECONDS',
    meaning: 'After SIGTERM `/readyz` says 503 for so long before the port closes, so that balancers look elsewhere',
    fallback: '0',
    read: number(0, 300),
  },
} as const satisfies Variables
