// Accounts and signing in (spec 4.1).
import { area } from '#http/manifest/area.ts'
import { apiKeyAnnouncements } from './announcements.ts'
import { authJobs } from './jobs.ts'
import { keyWarningJob } from './keys/key-warnings.ts'
import { publishedApiKeys } from './published.ts'
import { authRoutes } from './routes.ts'
import { usersNamed } from './search-users.ts'

export const authArea = area({
  name: 'auth',
  description: 'Accounts, signing in, sessions, API keys and the caller’s own profile.',
  routes: authRoutes,
  jobs: [...authJobs, keyWarningJob],
  announcements: apiKeyAnnouncements,
  tables: [
    'users',
    'user_tokens',
    'sessions',
    'refresh_tokens',
    'known_addresses',
    'address_undos',
    'totp_factors',
    'recovery_codes',
    'sign_in_challenges',
    'code_attempts',
    'passkeys',
    'passkey_challenges',
    'device_sign_ins',
    'api_keys',
  ],
  published: [publishedApiKeys],
  staffSearchable: [{ scope: 'users', kind: 'user', rows: usersNamed }],
})
