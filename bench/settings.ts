// The settings of the servers that are compared: those of `npm start`, but without rate limits, and without what of the
// sandbox would work in the same process.
import { type Config, readConfig } from '#config/config.ts'

/** In the order of their rates. */
export const KINDS = ['limit', 'bare', 'service'] as const
export type Kind = (typeof KINDS)[number]

export type ServerOptions = {
  kind: 'bare' | 'service'
  url: string
  dataDir: string
  isDistributed?: boolean
  /** The service runs jobs, too. */
  works?: boolean
}

const MOST = '9999999/60'
export const UNLIMITED = { LIMIT_CREDENTIALS: MOST, LIMIT_PUBLIC: MOST, LIMIT_REQUESTS: MOST }

const ALONE = {
  ISSUE_TRACKER: 'none',
  ENTITY_BR_COMMERCE: 'own',
  ENTITY_GLOBAL_COMMERCE: 'own',
  ENTITY_BR_CRM: 'none',
  ENTITY_GLOBAL_CRM: 'none',
}

export const benchConfig = ({ url, dataDir }: Omit<ServerOptions, 'kind'>): Config =>
  readConfig({ SANDBOX: '1', DATABASE_URL: url, DATA_DIR: dataDir, ...ALONE, ...UNLIMITED })
