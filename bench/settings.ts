// The settings of both servers: those of `npm start`, but without rate limits.
import { type Config, readConfig } from '#config/config.ts'

export type Kind = 'bare' | 'service'

export type ServerOptions = { kind: Kind; url: string; dataDir: string }

const UNLIMITED = '9999999/60'

export const benchConfig = ({ url, dataDir }: Omit<ServerOptions, 'kind'>): Config =>
  readConfig({
    SANDBOX: '1',
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    LIMIT_CREDENTIALS: UNLIMITED,
    LIMIT_PUBLIC: UNLIMITED,
    LIMIT_REQUESTS: UNLIMITED,
  })
