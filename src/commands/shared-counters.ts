// The rate limits, and the connections to the counters that all processes share.
import { Pool } from 'pg'
import { createRateLimits } from '#kernel/access/rate-limits.ts'
import { clientWith } from '#kernel/database/client-with.ts'
import type { Composition } from './compose.ts'

export function limitsPoolOf({ logins, log, limitsTimeoutMs = 2000 }: Composition): Pool {
  const pool = new Pool({
    Client: clientWith(() => ({
      ...logins().titular_system,
      // A connection without an answer in this time is closed.
      query_timeout: limitsTimeoutMs,
      application_name: 'titular_limits',
    })),
    max: 2,
    connectionTimeoutMillis: limitsTimeoutMs,
  })
  pool.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'))
  return pool
}

export const rateLimitsOf = ({ config, secrets, log, limitsTimeoutMs }: Composition, pool: Pool) =>
  createRateLimits({
    pool,
    ...(limitsTimeoutMs !== undefined && { storeTimeoutMs: limitsTimeoutMs }),
    secretKey: secrets.secretKey,
    policies: [
      { name: 'credentials', ...config.limits.credentials, precision: 'exact' },
      { name: 'public', ...config.limits.public, precision: 'bounded' },
      { name: 'reports', ...config.limits.reports, precision: 'bounded' },
      { name: 'requests', ...config.limits.requests, precision: 'bounded' },
    ],
    onStoreFailure: (error) => log.warn({ err: error }, 'rate limits are counted in this process only'),
  })
