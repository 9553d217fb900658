// Every route that takes `dry_run`: the preview writes nothing, and says what then really happens.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordsOf, type WrittenEntry, type WrittenEvent } from '#kernel/jobs/previewed-records.ts'
import type { Preview, PreviewedRecord } from '#kernel/jobs/preview.ts'
import type { Route } from '#http/route.ts'
import { routes } from '../../src/modules.ts'
import { CASES, confirmRefunds, type DryRunScene, dryRunScene } from '#test/scenes/dry-runs.ts'
import { key } from './sweep.ts'

let scene: DryRunScene
beforeAll(async () => void (scene = await dryRunScene()))
afterAll(() => scene.close())

const declared = routes.filter(({ features }) => features.dryRun)

/** A digest of each table's rows; the visits of staff are audited like those of a read. */
async function stateOf(): Promise<unknown> {
  const { database } = scene.at.app
  const tables = await database.query<{ name: string }>(
    // Requests are counted there whatever they do, some after their answer.
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'rate_limits' order by 1`,
  )
  const digests = await Promise.all(
    tables.map(({ name }) =>
      database.query(
        `select '${name}' as name, count(*), md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest
           from ${name} t ${name === 'audit_log' ? `where t.action <> 'staff_entry'` : ''}`,
      ),
    ),
  )
  return digests.flat()
}

/** What has been written in the organization since, in the form of a preview. */
async function writtenSince({ sequence, entry }: { sequence: number; entry: number }, organization: number) {
  const { database } = scene.at.app
  const events = await database.query<WrittenEvent>(
    'select type, resource, resource_id, data from events where organization_id = $1 and sequence > $2 order by sequence',
    [organization, sequence],
  )
  const entries = await database.query<WrittenEntry>(
    'select action, resource, resource_id, before, after from audit_log where organization_id = $1 and id > $2 order by id',
    [organization, entry],
  )
  return recordsOf(events, entries, () => 'all').records
}

async function placeOf(organization: number): Promise<{ sequence: number; entry: number }> {
  const [place] = await scene.at.app.database.query<{ sequence: number; entry: number }>(
    `select last_sequence as sequence, (select max(id) from audit_log where organization_id = $1) as entry
       from event_sequences where organization_id = $1`,
    [organization],
  )
  return place ?? { sequence: 0, entry: 0 }
}

/** Only known afterwards: times, and what the others call their part of it. */
const LATER = /_at$|^(status_since|provider_reference|payment_invoice_id|payment_codes|payment_codes_until|link)$/
/** Documents that the service or the authority makes afterwards. */
const APART = ['filed_document', 'tax_invoice_document']

const comparable = (records: readonly PreviewedRecord[]) =>
  records
    .filter(({ resource }) => !APART.includes(resource))
    .map(({ resource, resource_id, before, after }) => ({
      resource,
      resource_id,
      before: timeless(before),
      after: timeless(after),
    }))
    .filter(({ after }) => after === null || Object.keys(after).length > 0)
    .toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)))

const timeless = (fields: Record<string, unknown> | null) =>
  fields && Object.fromEntries(Object.entries(fields).filter(([name]) => !LATER.test(name)))

describe('a route that takes dry_run', () => {
  it('is any of these', () => {
    expect(declared.map(key).toSorted()).toEqual([...new Set(CASES.map(({ of }) => of))].toSorted())
  })
  it('is only one whose answer names the preview', () => {
    expect(
      declared.filter(
        ({ read, features, before }: Route) =>
          read || features.upload || (typeof before === 'object' && before.allocates),
      ),
    ).toEqual([])
  })
})

describe('the preview', () => {
  it.each(CASES)('of $of ($name) writes nothing and comes true', async ({ of, make }) => {
    const { method, path, speaker, body, organization, resources = [], requests = [] } = await make(scene)
    const { worker } = scene.at.app.service
    await worker.drain()
    const [before, place] = [await stateOf(), await placeOf(organization.id)]
    const dry = `${path}?dry_run=true`
    const ask = (given: string) => (method === 'delete' ? speaker.delete(given) : speaker[method](given, body))
    const first = await ask(dry)
    expect(first.status, first.raw.body).toBe(200)
    expect(first.data).toMatchObject({ dry_run: true, is_complete: true, problems: [] })
    expect((await ask(dry)).data).toEqual(first.data)
    await worker.drain()
    expect(await stateOf()).toEqual(before)
    const { data }: { data: Preview } = first
    expect(data.records.map(({ resource }) => resource)).toEqual(expect.arrayContaining(resources))
    expect(data.requests.map((one) => `${one.of} ${one.act}`)).toEqual(expect.arrayContaining(requests))
    const done = await ask(path)
    expect(done.status, done.raw.body).toBe(declared.find((route) => key(route) === of)?.status)
    await worker.drain()
    await confirmRefunds(scene)
    expect(comparable(data.records)).toEqual(comparable(await writtenSince(place, organization.id)))
  })
})
