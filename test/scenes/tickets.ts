// The records that tickets are about: an ENV entitlement with two environments, an SVC one with a service, a PLG one.
import { randomInt } from 'node:crypto'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

export type Subjects = {
  hosting: number
  environment: number
  staging: number
  project: number
  service: number
  license: number
}

export async function subjects(app: TestApp, { id: organization }: Organization): Promise<Subjects> {
  const add = async (table: string, values: Record<string, unknown>): Promise<number> => {
    const all = { organization_id: organization, ...values }
    const places = Object.keys(all).map((_, index) => `$${index + 1}`)
    const [row] = await app.database.query<{ id: number }>(
      `insert into ${table} (${Object.keys(all).join(', ')}) values (${places.join(', ')}) returning id`,
      Object.values(all),
    )
    return row?.id ?? 0
  }
  const entitled = async (kind: string) => {
    const code = `${kind}-190001${randomInt(1000, 999_999)}`
    const id = await add('entitlements', { class: kind, code, product_name: kind, company: 'entity_br' })
    return { entitlement_id: id, entitlement_code: code }
  }
  const hosting = await entitled('ENV')
  const place = { ...hosting, name: 'Portal', platform: 'moodle', status: 'active' }
  const staging = await add('environments', { ...place, environment_type: 'staging' })
  const environment = await add('environments', { ...place, environment_type: 'production' })
  const project = await entitled('SVC')
  const service = await add('services', { ...project, name: 'Migration', lifecycle: 'project' })
  const license = await entitled('PLG')
  return {
    hosting: hosting.entitlement_id,
    environment,
    staging,
    project: project.entitlement_id,
    service,
    license: license.entitlement_id,
  }
}

/** Two organizations with something to ask about; in the first a member, and an agent who may change tickets. */
export async function ticketScene(): Promise<{
  app: TestApp
  acme: Organization
  other: Organization
  sold: Subjects
  foreign: Subjects
  member: Speaker
  agent: Speaker
}> {
  const app = await startApp()
  const acme = await app.world.organization()
  const other = await app.world.organization()
  return {
    app,
    acme,
    other,
    sold: await subjects(app, acme),
    foreign: await subjects(app, other),
    member: await acme.member({ scopes: ['entitlements'] }),
    agent: await acme.member({ scopes: ['tickets'] }),
  }
}
