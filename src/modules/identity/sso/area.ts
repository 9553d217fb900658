// Single sign-on by OpenID Connect, of organizations and of the vendor's staff (docs/decisions/0091).
import { sitesTable } from '#modules/delivery/sites/site.ts'
import { area } from '#http/manifest/area.ts'
import { ssoConnectionsTable } from './connection.ts'
import { propagateProof } from './job-kinds.ts'
import { ssoJobs } from './jobs.ts'
import { publishedSsoConnections } from './published.ts'
import { ssoRoutes } from './routes.ts'

const { verified, lapsed, updated, deleted } = sitesTable.events

export const ssoArea = area({
  name: 'sso',
  description: 'Single sign-on: identity providers of organizations, and signing in by them.',
  routes: ssoRoutes,
  jobs: ssoJobs,
  consumers: [verified, lapsed, updated, deleted].map((event) => ({ event, job: propagateProof })),
  tables: [ssoConnectionsTable.name, 'sso_identities', 'sso_sign_ins'],
  published: [publishedSsoConnections],
})
