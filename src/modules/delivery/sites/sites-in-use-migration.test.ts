// Licenses and environments from before there were sites: each gets the job that follows it.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jobs } from '../../../modules.ts'
import { migrate, migrationsIn } from '../../../postgres/migrate.ts'
import { emptyDatabase, type TestDatabase } from '#test/harness/database.ts'

const directory = join(import.meta.dirname, '../../../migrations')
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

let database: TestDatabase
beforeAll(async () => void (database = await emptyDatabase()))
afterAll(() => database.drop())

it('enqueues the jobs of what is in use, with the key of those of later events', async () => {
  const count = (await migrationsIn(directory)).indexOf('0030-sites-in-use')
  await migrate({ ownerUrl: database.url, directory, log, count })
  await database.query(`
    insert into organizations (id, name) values (1, 'Acme');
    insert into entitlements (id, organization_id, code, class, product_name, company)
    select n, 1, 'PLG-190001000' || n, 'PLG', 'Backup', 'entity_br' from generate_series(1, 7) n;
    insert into licenses (id, organization_id, license_key, product_name, status, entitlement_id, entitlement_code,
                          activations_limit, activated_domains, staging_domains)
    values (1, 1, 'a', 'Backup', 'active', 1, 'PLG-1900010001', 1, '{a.example}', '{}'),
           (2, 1, 'b', 'Backup', 'expired', 2, 'PLG-1900010002', 1, '{}', '{a.test}'),
           (3, 1, 'c', 'Backup', 'revoked', 3, 'PLG-1900010003', 1, '{a.example}', '{}'),
           (4, 1, 'd', 'Backup', 'active', 4, 'PLG-1900010004', 1, '{}', '{}');
    insert into environments (id, organization_id, name, platform, environment_type, entitlement_id, entitlement_code, status, url)
    values (1, 1, 'A', 'moodle', 'production', 5, 'PLG-1900010005', 'active', 'https://a.example'),
           (2, 1, 'B', 'moodle', 'production', 6, 'PLG-1900010006', 'decommissioned', 'https://b.example'),
           (3, 1, 'C', 'moodle', 'production', 7, 'PLG-1900010007', 'active', null);
    insert into events (id, organization_id, sequence, type, resource, resource_id, data, at) overriding system value
    select 10 + n, 1, n, 'titular/' || resource || '/created', resource, id, '{}', now()
      from (select row_number() over () as n, 'license' as resource, id from licenses) e`)
  await migrate({ ownerUrl: database.url, directory, log, count: count + 1 })
  const rows = await database.query<{ kind: string; key: string; payload: unknown }>(
    'select kind, key, payload from jobs order by key',
  )
  expect(rows.map(({ kind, key }) => [kind, key])).toEqual([
    ['sites/follow-environment', 'sites/follow-environment:environment:1:1'],
    ['sites/follow-license', 'sites/follow-license:license:1:1'],
    ['sites/follow-license', 'sites/follow-license:license:2:1'],
  ])
  for (const { kind, payload } of rows) {
    const job = jobs.find((one) => one.kind.name === kind)
    expect(job?.kind.read(payload)).toEqual(payload)
  }
})
