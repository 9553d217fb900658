// The direction of dependencies, read from the import lines, and the lists of files that may do what others must not.
import { glob, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { Entitlement } from '#modules/delivery/entitlements/entitlement.ts'
import { AREAS } from '../../src/modules.ts'
import { GLOBAL } from './tables.ts'

const ROOT = join(import.meta.dirname, '../..')

type Import = { from: string; to: string; isType: boolean }
type Source = { path: string; text: string; imports: Import[] }

let sources: Source[]
beforeAll(async () => {
  sources = []
  for await (const path of glob('src/**/*.ts', { cwd: ROOT })) {
    if (/\.(test|contract|d)\.ts$/.test(path)) continue
    const text = await readFile(join(ROOT, path), 'utf8')
    sources.push({ path, text, imports: importsOf(path, text) })
  }
  sources.sort((one, other) => one.path.localeCompare(other.path))
})

const IMPORT =
  /^(?:import|export)\s+(type\s)?[^'"]*?\bfrom\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm

function importsOf(path: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(([, isType, named, bare, dynamic]) => ({
    from: path,
    to: resolved(path, named ?? bare ?? dynamic ?? ''),
    isType: isType !== undefined,
  }))
}

/** Resolves `#kernel/x.ts` and `../x.ts` to `src/…`; packages stay as they are. */
function resolved(path: string, specifier: string): string {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`
  return specifier.startsWith('.') ? normalize(join(dirname(path), specifier)) : specifier
}

/** `kernel`, `modules/sales`, `adapters/smtp`, `main.ts`, … */
function layerOf(path: string): string {
  const [, first = '', second = ''] = path.split('/')
  return first === 'modules' || first === 'adapters' ? `${first}/${second}` : first
}

/** From the top floor down: each imports only what stands after it. */
const MODULES = ['operations', 'integrations', 'support', 'sales', 'identity', 'delivery', 'documents', 'messages'].map(
  (name) => `modules/${name}`,
)

/** By layer: the layers that it may import, besides its own. `type:` allows only types. */
const MAY: Record<string, string[]> = {
  kernel: [],
  // For the sandbox's pages, whose adapters it is given.
  http: ['kernel', 'ports', 'pages', 'texts', 'type:config', 'type:adapters'],
  // For the declarations of settings and ports that areas may use.
  ports: ['kernel', 'http', 'type:config'],
  modules: ['kernel', 'http', 'ports', 'texts', 'type:config'],
  adapters: ['kernel', 'http', 'ports'],
  texts: ['type:kernel'],
  pages: ['texts', 'kernel'],
  postgres: ['kernel'],
  'modules.ts': ['modules', 'http', 'kernel'],
  config: ['ports', 'kernel'],
  audit: ['kernel', 'modules', 'postgres'],
  demo: ['kernel', 'http', 'ports', 'modules', 'modules.ts', 'texts', 'config'],
  commands: [
    'kernel',
    'http',
    'ports',
    'modules',
    'modules.ts',
    'adapters',
    'config',
    'postgres',
    'texts',
    'audit',
    'demo',
  ],
  'main.ts': ['commands'],
}

/** The sandbox's mail is the message that SMTP would carry. */
const EXCEPTIONS = ['src/adapters/sandbox/mail.ts → src/adapters/smtp/message.ts']
/** Areas that read with the statements of another module's, inside their own transactions; a new pair is a decision. */
const READS = [
  'admin → organizations',
  'commerce → invoices',
  'commerce → orders',
  'commerce → refunds',
  'crm → organizations',
]

const arrow = ({ from, to }: Import): string => `${from} → ${to}`

const areaOf = (path: string): string => path.split('/')[3] ?? ''
const groupOf = (layer: string): string => layer.split('/')[0] ?? ''

function isAllowed({ from, to, isType }: Import): boolean {
  const [source, target] = [layerOf(from), layerOf(to)]
  if (source === target) return true
  if (MODULES.includes(source) && MODULES.includes(target)) return MODULES.indexOf(source) < MODULES.indexOf(target)
  if (groupOf(source) === groupOf(target)) return false
  const may = MAY[groupOf(source)] ?? []
  return may.includes(groupOf(target)) || (isType && may.includes(`type:${groupOf(target)}`))
}

const inner = (): Import[] => sources.flatMap(({ imports }) => imports).filter(({ to }) => to.startsWith('src/'))

describe('imports', () => {
  it('are all understood', () => {
    expect(sources.length).toBeGreaterThan(100)
    expect(inner().length).toBeGreaterThan(200)
    const layers = new Set(sources.map(({ path }) => groupOf(layerOf(path))))
    expect([...layers].filter((layer) => !(layer in MAY))).toEqual([])
    const missing = inner().filter(
      ({ to }) => to.endsWith('.ts') && !to.endsWith('.d.ts') && !sources.some(({ path }) => path === to),
    )
    expect(missing).toEqual([])
  })
  it('point from commands over modules, each to those below it, and ports to the kernel, never back', () => {
    const wrong = inner().filter((one) => !isAllowed(one))
    expect(wrong.map(arrow)).toEqual(EXCEPTIONS)
  })
  it('of a module are the operations and vocabulary of another; its queries only where the list allows it', () => {
    const foreign = inner().filter(({ from, to }) => layerOf(from) !== layerOf(to) && MODULES.includes(layerOf(from)))
    const reads = foreign.filter(({ to }) => to.endsWith('/queries.ts'))
    const pairs = reads.map(({ from, to }) => `${areaOf(from)} → ${areaOf(to)}`)
    expect([...new Set(pairs)].toSorted()).toEqual(READS)
    expect(foreign.filter(({ to }) => to.endsWith('/routes.ts')).map(arrow)).toEqual([])
  })
  it.each([
    ['pg', /^src\/(kernel\/(database\/|access\/rate-limits\.ts)|postgres\/|audit\/|commands\/)/],
    ['fastify', /^src\/(http\/|commands\/compose\.ts)/],
    ['pdfkit', /^src\/adapters\/pdf\//],
    ['stripe', /^src\/adapters\/stripe\//],
    ['undici', /^src\/(adapters\/|ports\/(outgoing|json-api)\.ts)/],
    ['nodemailer', /^src\/adapters\/(smtp|sandbox)\//],
    ['pino', /^src\/(commands|http\/server)\//],
    ['commander', /^src\/commands\/command-line\.ts$/],
  ])('of %s stay where it belongs', (name, where) => {
    const users = sources.filter(({ imports }) => imports.some(({ to }) => to === name || to.startsWith(`${name}/`)))
    expect(users.map(({ path }) => path).filter((path) => !where.test(path))).toEqual([])
  })
})

/** The lines of the sources that match, as `file: line`. */
const linesWith = (pattern: RegExp): string[] =>
  sources.flatMap(({ path, text }) =>
    text
      .split('\n')
      .filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line) && pattern.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  )

const filesWith = (pattern: RegExp): string[] => [
  ...new Set(linesWith(pattern).map((line) => line.split(':')[0] ?? '')),
]

describe('restricted code', () => {
  it('only the command line reads the environment', () => {
    expect(filesWith(/process\.env|from 'node:process'/)).toEqual(['src/commands/command-line.ts'])
  })
  it('only listed files work across organizations, each for a reason', () => {
    const reasons = linesWith(/\b(?:readingAs|as)System\(/).map((line) =>
      line.replace(/^(\S+): .*[aA]sSystem\(([^,]*).*/, '$1: $2'),
    )
    expect(reasons).toEqual([
      "src/commands/administrator.ts: 'the first administrator'",
      "src/commands/crm-backfill.ts: 'the backfill of the CRM'",
      "src/demo/business-hours.ts: 'the demo'",
      "src/demo/catalogue.ts: 'the demo'",
      "src/demo/desk.ts: 'the demo'",
      "src/demo/export.ts: 'the demo'",
      "src/demo/history/load-histories.ts: 'the demo'",
      "src/demo/import.ts: 'the demo'",
      "src/demo/inbound-events.ts: 'the demo'",
      "src/demo/load-demo.ts: 'the demo'",
      "src/demo/settings.ts: 'the demo'",
      "src/demo/staff.ts: 'the demo'",
      "src/demo/vendor-key.ts: 'the demo'",
      'src/kernel/jobs/run-job.ts: `job ${row.kind}`',
      'src/kernel/jobs/run-job.ts: reason',
      'src/kernel/jobs/run-job.ts: reason',
      "src/modules/integrations/imports/import-row.ts: 'an organization is made'",
      "src/modules/integrations/imports/import-row.ts: 'a product belongs to no organization'",
      "src/modules/operations/exports/write-export.ts: 'an export reads one snapshot'",
      "src/modules/operations/privacy/erase-organization.ts: 'an organization that is erased belongs to nobody'",
      "src/modules/operations/privacy/erase-person.ts: 'a person may belong to several organizations'",
      "src/modules/operations/privacy/jobs.ts: 'exports of people belong to no organization'",
      "src/modules/support/answers-by-mail/jobs.ts: 'a mail names its organization'",
    ])
  })
  it('only the machinery names the system role', () => {
    expect(filesWith(/titular_system/)).toEqual([
      'src/commands/serve.ts',
      'src/commands/shared-counters.ts',
      'src/http/access.ts',
      'src/http/features/long-polls.ts',
      'src/http/open.ts',
      'src/http/operation-contexts.ts',
      'src/http/read.ts',
      'src/kernel/access/last-uses.ts',
      'src/kernel/access/missing-records.ts',
      'src/kernel/access/refusals.ts',
      'src/kernel/access/transactions.ts',
      'src/kernel/database/database.ts',
      'src/kernel/database/replica.ts',
      'src/kernel/jobs/claim.ts',
      'src/postgres/roles.ts',
    ])
  })
  it('only the access check sets the tenant', () => {
    expect(filesWith(/set_config\('app\./)).toEqual(['src/kernel/access/access-check.ts'])
  })
  it('only kernel/data/changes.ts writes tenant tables, and the functions by which it does on a cluster', () => {
    const tables = AREAS.flatMap((one) => one.tables).filter((table) => !(table in GLOBAL || UNAUDITED.includes(table)))
    expect(tables.length).toBeGreaterThan(20)
    const names = ['events', 'audit_log', ...tables].join('|')
    // Not a change of the record: when it was touched, when its proof was looked at, when it was last used, how often it was opened.
    const written = linesWith(
      new RegExp(
        String.raw`\b(insert into|update|delete from) (${names})\b(?! set (updated_at|proof_checked_at|last_used_at|view_count))`,
      ),
    ).filter(
      (line) =>
        !/^src\/(kernel|postgres\/citus\/functions\.ts)/.test(line) && /sql`|^\S+: (insert|update|delete)/.test(line),
    )
    expect(written.filter((line) => !WITHOUT_ENTRY.some((one) => line.startsWith(one)))).toEqual([])
  })
  it('rules take the time from the context, never from the database or the machine', () => {
    const areas = /^src\/modules\//
    expect(
      linesWith(/\bnow\(\)|new Date\(\)|Date\.now\(\)|\bcurrent_(date|timestamp)\b/).filter((line) => areas.test(line)),
    ).toEqual([])
  })
  it('only node:crypto gives random values, except for the length of pauses', () => {
    expect(filesWith(/Math\.random\(/).filter((path) => !path.startsWith('src/postgres/'))).toEqual([])
  })
})

/**
 * Of an organization, but no records: which CNPJ, ids elsewhere and keys are taken, what other systems call a record, what was last
 * seen of an issue in the tracker, who read a document, how often a file was downloaded, what installed products last
 * reported, what was sent to webhook endpoints and by mail, what a person is told of and has read, and when an unpaid invoice is looked at next.
 */
const UNAUDITED = [
  'claims',
  'commerce_orders',
  'contact_confirmations',
  'crm_companies',
  'crm_deals',
  'document_accesses',
  'download_counts',
  'dunning_cases',
  'imported_records',
  'inbox_entries',
  'issue_references',
  'issue_syncs',
  'mails',
  'muted_addresses',
  'notice_preferences',
  'payment_references',
  'site_reports',
  'ticket_issue_comments',
  'webhook_deliveries',
  'webhook_queues',
]
/**
 * The vendor's own endpoints belong to no organization, and an erasure leaves no copy of what it removes in the organization's log;
 * their audit entries are in the service's log.
 */
const WITHOUT_ENTRY = [
  'src/modules/messages/events/event-positions.ts: ',
  'src/modules/operations/privacy/organization-erasures.ts: ',
  'src/modules/operations/privacy/personal-data.ts: ',
  'src/modules/messages/webhook-endpoints/queries.ts: insert into webhook_endpoints as e',
  'src/modules/messages/webhook-endpoints/queries.ts: update webhook_endpoints e set',
]

describe('the limit that the bench compares with', () => {
  it('shares nothing with the service', async () => {
    const found: string[] = []
    for await (const path of glob('bench/limit/*.ts', { cwd: ROOT }))
      found.push(...importsOf(path, await readFile(join(ROOT, path), 'utf8')).map(({ to }) => to))
    expect([...new Set(found)].toSorted()).toEqual(['bench/limit/connection.ts', 'node:fs/promises', 'node:http', 'pg'])
  })
  // Otherwise its answers are not those of the service, and the bench refuses to begin.
  it('reads every field of an entitlement', async () => {
    const text = await readFile(join(ROOT, 'bench/limit/server.ts'), 'utf8')
    const columns = /const columns = `([^`]+)`/.exec(text)?.[1]?.split(/,\s+/)
    expect(columns).toEqual(Object.keys(Entitlement.properties))
  })
})

describe('files', () => {
  it('have at most 250 lines', () => {
    expect(sources.filter(({ text }) => text.split('\n').length > 251).map(({ path }) => path)).toEqual([])
  })
  it('begin with a line that says what they are', () => {
    expect(sources.filter(({ text }) => !/^(\/\/|\/\*|#!)/.test(text)).map(({ path }) => path)).toEqual([])
  })
  it('have names with a meaning', () => {
    const bad = /\/(utils|helpers?|index|types|common|misc|manager|[\w-]*-manager|[\w-]*-utils)\.ts$/
    expect(sources.filter(({ path }) => bad.test(path)).map(({ path }) => path)).toEqual([])
  })
  it('have named exports, and no state of their own', () => {
    expect(filesWith(/^export default\b/)).toEqual([])
    expect(filesWith(/^(export )?let\b/)).toEqual([])
  })
})
