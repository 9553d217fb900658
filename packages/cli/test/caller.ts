// People of the tests as the program knows them: by the environment.
import type { TestApp } from '../../../test/harness/app.ts'
import type { Organization, Speaker } from '../../../test/harness/world.ts'
import type { Environment } from './program.ts'

export const as = (
  app: Pick<TestApp, 'url'>,
  who: Pick<Speaker, 'token'>,
  organization?: Pick<Organization, 'id'>,
): Environment => ({
  XDG_CONFIG_HOME: '/nowhere',
  TITULAR_URL: app.url,
  TITULAR_TOKEN: who.token,
  ...(organization && { TITULAR_ORGANIZATION: String(organization.id) }),
})
