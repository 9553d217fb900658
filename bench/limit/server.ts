// The limit: what one process of Node and this database can do at most for two reads, with their checks and nothing else. It
// shares no line with the service: `node:http`, `pg`, prepared statements, several groups on the wire per connection.
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { type PipelinedConnection, type Rows, type Step, connectPipelined } from './connection.ts'

type Caller = { token: string; userId: string }
type Options = { url: string; callersFile: string; connections: number }

const LIST = '/api/v1/entitlements'
const BY_CODE = `${LIST}/code/`
const PER_PAGE = 20

const columns = `id, code, class, product_name, product_description, status, status_reason_code, status_reason, status_since,
  scheduled, organization_id, company, expires_at, renews, suspends_at, suspends_reason, product_id, updates_until,
  release_channels, quantity, features, quote_id, order_id, auto_created, external_id, metadata, created_at, updated_at`
const STATEMENTS = [
  // Without a membership there is no row, no tenant is set, and row-level security hides what the statements after it read.
  `prepare access (bigint, bigint) as
   select set_config('app.organization_id', organization_id::text, true) from access_check where organization_id = $1 and user_id = $2`,
  `prepare page (bigint) as select ${columns} from entitlements where organization_id = $1 order by id desc limit ${PER_PAGE}`,
  `prepare total (bigint) as select count(*) from entitlements where organization_id = $1`,
  `prepare by_code (bigint, text) as select ${columns} from entitlements where organization_id = $1 and code = $2`,
]

const { url, callersFile, connections: count }: Options = JSON.parse(process.argv[2] ?? '{}')
const callers: Caller[] = JSON.parse(await readFile(callersFile, 'utf8'))
const userIds = new Map(callers.map(({ token, userId }) => [`Bearer ${token}`, userId]))
const connections = await Promise.all(Array.from({ length: count }, () => connectPipelined(url, STATEMENTS)))

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error)
    process.exit(1)
  })
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: portOf(server.address()) }))
// The parent process has ended, however it did: this one must not outlive it.
process.once('disconnect', () => process.exit(0))

async function answer({ url: path = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  const userId = userIds.get(headers.authorization ?? '')
  const organizationId = headers['x-service-organization']
  if (userId === undefined) return refuse(response, 401)
  if (typeof organizationId !== 'string') return refuse(response, 400)
  const access = { statement: 'access', values: [organizationId, userId] }
  if (path === LIST) {
    const values = [organizationId]
    const [member, rows, counted] = await leastBusy([
      access,
      { statement: 'page', values },
      { statement: 'total', values },
    ])
    if (member?.length !== 1 || !rows) return refuse(response, 403)
    const total = Number(counted?.[0]?.[0])
    return send(response, rows.map(entitlementOf), {
      page: 1,
      per_page: PER_PAGE,
      total,
      pages: Math.ceil(total / PER_PAGE),
    })
  }
  if (!path.startsWith(BY_CODE)) return refuse(response, 404)
  const values = [organizationId, path.slice(BY_CODE.length)]
  const [member, rows] = await leastBusy([access, { statement: 'by_code', values }])
  if (member?.length !== 1) return refuse(response, 403)
  const row = rows?.[0]
  return row ? send(response, entitlementOf(row), null) : refuse(response, 404)
}

function leastBusy(steps: Step[]): Promise<Rows[]> {
  let best: PipelinedConnection | undefined
  for (const one of connections) if (!best || one.unanswered() < best.unanswered()) best = one
  return best ? best.ask(steps) : Promise.reject(new Error('no connection'))
}

function send(response: ServerResponse, data: unknown, meta: unknown): void {
  const text = JSON.stringify({ success: true, data, meta, message: null, errors: null })
  response
    .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) })
    .end(text)
}

const refuse = (response: ServerResponse, status: number): void => void response.writeHead(status).end()

/** In the order of `columns`. */
const entitlementOf = (row: Rows[number]) => ({
  id: Number(row[0]),
  code: row[1],
  class: row[2],
  product_name: row[3],
  product_description: row[4],
  status: row[5],
  status_reason_code: row[6],
  status_reason: row[7],
  status_since: timeOf(row[8]),
  scheduled: jsonOf(row[9]),
  organization_id: Number(row[10]),
  company: row[11],
  expires_at: timeOf(row[12]),
  renews: row[13] === 't',
  suspends_at: timeOf(row[14]),
  suspends_reason: row[15],
  product_id: numberOf(row[16]),
  updates_until: timeOf(row[17]),
  release_channels: row[18]?.slice(1, -1).split(','),
  quantity: Number(row[19]),
  features: jsonOf(row[20]),
  quote_id: numberOf(row[21]),
  order_id: numberOf(row[22]),
  auto_created: row[23] === 't',
  external_id: row[24],
  metadata: row[25],
  created_at: timeOf(row[26]),
  updated_at: timeOf(row[27]),
})

const jsonOf = (text: string | null | undefined): unknown => (text ? JSON.parse(text) : null)

const numberOf = (text: string | null | undefined): number | null => (text ? Number(text) : null)

/** `2026-11-20 14:42:55.123456+00` → `2026-11-20T14:42:55.123Z`; PostgreSQL leaves zeros at the end out. */
const timeOf = (text: string | null | undefined): string | null =>
  text ? `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0').slice(0, 3)}Z` : null

function portOf(address: ReturnType<typeof server.address>): number {
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
