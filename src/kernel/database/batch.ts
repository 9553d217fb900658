// Several statements in one round trip: one extended-protocol group with one Sync, which PostgreSQL runs as one
// implicit transaction (docs/decisions/0002). A connection takes further groups before it has answered the earlier ones
// (docs/decisions/0052).
import { type Client, type Connection, DatabaseError, type Submittable } from 'pg'
import pgUtils from 'pg/lib/utils.js'
import { isStalePlan } from '#kernel/values/errors.ts'
import { type Handlers, Batch, type Exchange, Preparation, type Shape } from './exchanges.ts'
import type { Field } from './row-reader.ts'
import { dropValues } from './values-in-errors.ts'
import { type PreparedStatement, type Statement, prepare } from '#kernel/values/sql.ts'

/** Methods of pg's connection that its published types lack. */
type Wire = Connection & {
  close(target: { type: 'S' | 'P'; name: string }): void
  parse(query: { name: string; text: string }): void
  describe(target: { type: 'S' | 'P'; name: string }): void
  bind(config: { statement: string; values: unknown[]; valueMapper: (value: unknown) => unknown }): void
  execute(config: { rows?: number }): void
  sync(): void
  stream: { cork(): void; uncork(): void }
}

/** The version goes up when a migration changed the columns of a prepared statement: all connections prepare anew. */
export type Plans = { version: number }

const queues = new WeakMap<Client, BatchQueue>()

/**
 * Runs the statements in order on the client and resolves to their rows. When one fails, none has an effect
 * (unless the client is inside BEGIN … COMMIT, where the caller rolls back).
 */
export function runBatch(client: Client, statements: readonly Statement[], plans: Plans): Promise<unknown[][]> {
  return new Promise((resolve, reject) => sendBatch(client, statements, plans, { resolve, reject }))
}

export function sendBatch(client: Client, statements: readonly Statement[], plans: Plans, answered: Handlers): void {
  let queue = queues.get(client)
  if (!queue) queues.set(client, (queue = new BatchQueue(client, plans)))
  let texts: PreparedStatement[]
  try {
    texts = statements.map(wireForm)
  } catch (error) {
    return answered.reject(error as Error)
  }
  queue.run(new Batch(texts, answered))
}

/** Values are turned into text before anything is sent, so that a failing conversion leaves no group half sent. */
function wireForm(statement: Statement): PreparedStatement {
  const prepared = prepare(statement)
  const { values } = prepared
  for (let index = 0; index < values.length; index++) values[index] = textOf(values[index])
  return prepared
}

function textOf(value: unknown): unknown {
  if (typeof value === 'string') return value
  return value instanceof Date && value.getTime() < YEAR_10000 ? value.toISOString() : pgUtils.prepareValue(value)
}
/** From then on `toISOString` writes a sign and six digits, which PostgreSQL does not read. */
const YEAR_10000 = Date.UTC(10_000, 0)

/**
 * All batches of one connection, as one query for `client.query`. pg gives the connection to one query at a time: this
 * one stays active as long as batches are unanswered, and writes those that come meanwhile. Such a client must run
 * nothing else: pg would begin another query between two answers.
 */
class BatchQueue implements Submittable {
  readonly #client: Client
  readonly #plans: Plans
  #prepared = new Map<string, Shape>()
  #version: number
  /** Set while pg has made this the active query. */
  #wire: Wire | null = null
  #isSubmitted = false
  #isCorked = false
  /** PostgreSQL skips to the end of the group whose error it has sent. */
  #hasFailed = false
  readonly #waiting: Batch[] = []
  readonly #sent: Exchange[] = []

  constructor(client: Client, plans: Plans) {
    this.#client = client
    this.#plans = plans
    this.#version = plans.version
    // A statement without rows is described by the message NoData, which pg's client ignores.
    client.connection.on('noData', () => this.#sent[0]?.describe([]))
  }

  run(batch: Batch): void {
    if (this.#wire && !this.#hasFailed) return this.#send(batch, this.#wire)
    this.#waiting.push(batch)
    this.#activate()
  }

  #activate(): void {
    if (this.#isSubmitted) return
    this.#isSubmitted = true
    this.#client.query(this)
  }

  /** Called by pg when the connection is free, also after the end of a failed group. */
  submit(connection: Connection): void {
    const wire = connection as Wire
    this.#isSubmitted = false
    this.#wire = wire
    if (this.#hasFailed) this.#endOldest()
    for (const batch of this.#waiting.splice(0)) this.#send(batch, wire)
  }

  #endOldest(): void {
    this.#hasFailed = false
    this.#sent.shift()?.end()
  }

  #send(batch: Batch, wire: Wire): void {
    this.#cork(wire)
    if (this.#version !== this.#plans.version) this.#prepared = new Map()
    this.#version = this.#plans.version
    this.#prepare(batch, wire)
    for (const { name, values } of batch.statements) {
      wire.bind({ statement: name, values, valueMapper: unchanged })
      wire.execute({})
    }
    wire.sync()
    this.#sent.push(batch)
  }

  /** What is sent within one turn of the event loop goes out with one write. */
  #cork({ stream }: Wire): void {
    if (this.#isCorked) return
    this.#isCorked = true
    stream.cork()
    setImmediate(() => {
      this.#isCorked = false
      stream.uncork()
    })
  }

  #prepare(batch: Batch, wire: Wire): void {
    const prepared = this.#prepared
    for (const { name, text } of batch.statements) {
      let shape = prepared.get(name)
      if (!shape) {
        const fresh: Shape = { fields: [], read: () => ({}) }
        prepared.set(name, (shape = fresh))
        // Closed first: the name may exist from a group that failed later. Closing an unknown name is no error.
        wire.close({ type: 'S', name })
        wire.parse({ name, text })
        wire.describe({ type: 'S', name })
        wire.sync()
        this.#sent.push(
          new Preparation(fresh, () => {
            if (prepared.get(name) === fresh) prepared.delete(name)
          }),
        )
      }
      batch.shapes.push(shape)
    }
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#sent[0]?.describe(fields)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#sent[0]?.takeRow(fields)
  }

  handleCommandComplete(): void {
    this.#sent[0]?.complete()
  }

  handleEmptyQuery(): void {
    this.#sent[0]?.complete()
  }

  handlePortalSuspended(): void {}

  handleCopyInResponse(): void {
    this.#sent[0]?.fail(new Error('a batch cannot copy'))
  }

  handleCopyData(): void {}

  /**
   * After an error pg forgets the active query: it is submitted again for the groups behind. What comes before that is
   * the end of the connection, also when PostgreSQL itself says so.
   */
  handleError(error: Error): void {
    const isActive = this.#wire !== null
    this.#wire = null
    if (!isActive || !(error instanceof DatabaseError)) return this.#failAll(error)
    dropValues(error)
    if (isStalePlan(error)) this.#plans.version++
    const [failed] = this.#sent
    failed?.fail(error)
    this.#hasFailed = true
    if (this.#sent.length > 1 || this.#waiting.length > 0) this.#activate()
    else this.#endOldest()
  }

  /** The connection is lost. */
  #failAll(error: Error): void {
    this.#isSubmitted = false
    this.#hasFailed = false
    for (const one of [...this.#sent.splice(0), ...this.#waiting.splice(0)]) {
      one.fail(error)
      one.end()
    }
  }

  handleReadyForQuery(): void {
    this.#sent.shift()?.end()
    this.#wire = null
    if (this.#sent.length > 0 || this.#waiting.length > 0) this.#activate()
  }
}

const unchanged = (value: unknown) => value
