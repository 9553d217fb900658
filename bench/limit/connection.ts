// A connection on which several groups of prepared statements are on the wire at once: the groups of one turn of the event
// loop leave in one write, while the answers of earlier ones are still coming.
import { Client, type Connection } from 'pg'

/** The rows of one statement, each the texts of its columns. */
export type Rows = (string | null)[][]
export type Step = { statement: string; values: string[] }
type Group = { results: Rows[]; resolve: (results: Rows[]) => void }

export type PipelinedConnection = { ask(steps: Step[]): Promise<Rows[]>; unanswered(): number }

/** Each of `statements` is an SQL command: `prepare … as …`. */
export async function connectPipelined(url: string, statements: readonly string[]): Promise<PipelinedConnection> {
  const options = '-c role=titular_app -c timezone=UTC -c plan_cache_mode=force_generic_plan'
  const client = new Client({ connectionString: url, options })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  const groups: Group[] = []
  let rows: Rows = []
  let wire: Connection | undefined
  /** pg is given one query that never ends: submitted again at each ReadyForQuery, it receives what every group brings. */
  const endless = {
    submit: (connection: Connection) => void (wire = connection),
    handleDataRow: ({ fields }: { fields: Rows[number] }) => void rows.push(fields),
    handleCommandComplete() {
      groups[0]?.results.push(rows)
      rows = []
    },
    handleReadyForQuery() {
      const answered = groups.shift()
      client.query(endless)
      answered?.resolve(answered.results)
    },
    // No statement here fails on this data; a run in which one did would measure something else.
    handleError(error: Error) {
      throw error
    },
  }
  client.query(endless)
  let isCorked = false
  function write(bytes: Buffer): void {
    const stream = wire?.stream
    if (!isCorked) {
      isCorked = true
      stream?.cork()
      setImmediate(() => {
        isCorked = false
        stream?.uncork()
      })
    }
    stream?.write(bytes)
  }
  return {
    ask(steps) {
      write(messagesOf(steps))
      return new Promise((resolve) => groups.push({ results: [], resolve }))
    },
    unanswered: () => groups.length,
  }
}

const EXECUTE = Buffer.from('E\0\0\0\x09\0\0\0\0\0', 'latin1')
const SYNC = Buffer.from('S\0\0\0\x04', 'latin1')
const BIND_BYTES = 13
const LENGTH_BYTES = 4

/** Bind and Execute of each step, then Sync, in one buffer: pg’s own messages are a buffer each. Values are ASCII. */
function messagesOf(steps: Step[]): Buffer {
  let size = SYNC.length
  for (const { statement, values } of steps) {
    size += BIND_BYTES + statement.length + EXECUTE.length
    for (const value of values) size += LENGTH_BYTES + value.length
  }
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const { statement, values } of steps) {
    const start = at
    // B, its length, the unnamed portal, the statement, no format codes, the values, no result formats.
    at = bytes.writeUInt8(0x42, at) + LENGTH_BYTES
    at = bytes.writeUInt8(0, at)
    at += bytes.write(statement, at, 'latin1')
    at = bytes.writeUInt8(0, at)
    at = bytes.writeUInt16BE(0, at)
    at = bytes.writeUInt16BE(values.length, at)
    for (const value of values) {
      at = bytes.writeUInt32BE(value.length, at)
      at += bytes.write(value, at, 'latin1')
    }
    at = bytes.writeUInt16BE(0, at)
    bytes.writeUInt32BE(at - start - 1, start + 1)
    bytes.set(EXECUTE, at)
    at += EXECUTE.length
  }
  bytes.set(SYNC, at)
  return bytes
}
