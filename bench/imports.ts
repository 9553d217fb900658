// Imports: how many lines of each kind become records in a second, and how many are found to have been imported before.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { npmStart } from './npm-start.ts'
import type { Report, Run } from './run.ts'
import { UNLIMITED } from './settings.ts'

const STAFF = { email: 'staff@titular.example', password: 'demo-titular-2026' }
const CUSTOMERS = 100_000
/** Of each other kind. */
const RECORDS = 10_000
const SOURCE = 'bench'
const POLL_MS = 500

type Asked = { url: string; token: string; kind: string; file: string }

export async function measureImports(run: Run): Promise<Report> {
  const [customers, records] = run.quick ? [2000, 500] : [CUSTOMERS, RECORDS]
  const { url, stop } = await npmStart(run, join(run.home, 'imports'), UNLIMITED)
  const body = JSON.stringify(STAFF)
  const { access_token: token } = await asked(`${url}/api/v1/auth/login`, { 'content-type': 'application/json' }, body)
  const organizations = csv('external_id,name,country', customers, (at) => `${at},Customer ${at},BR`)
  const files = [
    ['organizations', organizations],
    ['organizations', organizations],
    ['members', csv(`${OF},email`, records, (at) => `${at},${at},m${at}@bench.example`)],
    ['entitlements', csv(`${OF},class,product_name,company`, records, (at) => `${at},${at},PLG,Backup,entity_br`)],
    [
      'licenses',
      csv(`${OF},entitlement_external_id,license_key`, records, (at) => `${at},${at},${at},bench-key-${at}`),
    ],
  ] as const
  const lines: string[] = []
  for (const [kind, file] of files) lines.push(await rateOf({ url, token, kind, file }))
  await stop()
  return { verdicts: [], lines, figures: lines }
}

const OF = 'external_id,organization_external_id'

const csv = (head: string, count: number, line: (at: number) => string): string =>
  [head, ...Array.from({ length: count }, (_, at) => line(at))].join('\n')

async function rateOf({ url, token, kind, file }: Asked): Promise<string> {
  const authorization = { authorization: `Bearer ${token}` }
  const form = new FormData()
  for (const [name, value] of Object.entries({ kind, format: 'csv', source: SOURCE })) form.append(name, value)
  form.append('file', new Blob([file]), `${kind}.csv`)
  const began = performance.now()
  let done = await asked(`${url}/api/v1/admin/imports`, authorization, form)
  while (done.ended_at === null) {
    await sleep(POLL_MS)
    done = await asked(`${url}/api/v1/admin/imports/${done.id}`, authorization)
  }
  const seconds = (performance.now() - began) / 1000
  const { rows, created, unchanged, refused } = done
  const each = `${Math.round(rows / seconds)} a second in ${Math.round(seconds)} s`
  return `${kind}: ${rows} lines, ${created} created, ${unchanged} unchanged, ${refused} refused, ${each}`
}

async function asked(url: string, headers: Record<string, string>, body?: string | FormData) {
  const response = await fetch(url, { headers, ...(body && { method: 'POST', body }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${url}: ${text}`)
  return JSON.parse(text).data
}
