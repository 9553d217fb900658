// Several statements in one round trip: one extended-protocol group with one Sync, which PostgreSQL runs as one
// implicit transaction (docs/decisions/0002).
import type { Client, Connection, CustomTypesConfig, Submittable } from 'pg'
import pgUtils from 'pg/lib/utils.js'
import { isStalePlan } from '#kernel/http/errors.ts'
import { type Prepared, type Statement, prepare } from './sql.ts'

type Field = { name: string; dataTypeID: number }
type Columns = { name: string; parse: (text: string) => unknown }[]

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

/** Per connection: the columns of each statement that is prepared there, and the batch that runs now. */
type ConnectionState = { prepared: Map<string, Columns>; version: number; running: Batch | null }
const states = new WeakMap<object, ConnectionState>()

/** The version goes up when a migration changed the columns of a prepared statement: all connections prepare anew. */
export type Plans = { version: number }

function stateOf(connection: Connection, { version }: Plans): ConnectionState {
  const known = states.get(connection)
  if (known) return known
  const state: ConnectionState = { prepared: new Map(), version, running: null }
  states.set(connection, state)
  // A statement without rows is described by the message NoData, which pg's client ignores.
  connection.on('noData', () => state.running?.handleNoData())
  return state
}

const unchanged = (value: unknown) => value

/**
 * Runs the statements in order on the client and resolves to their rows. When one fails, none has an effect
 * (unless the client is inside BEGIN … COMMIT, where the caller rolls back).
 */
export function runBatch(client: Client, statements: readonly Statement[], plans: Plans): Promise<unknown[][]> {
  return new Promise((resolve, reject) => {
    client.query(new Batch({ client, plans }, statements.map(wireForm), resolve, reject))
  })
}

/** Values are turned into text before anything is sent, so that a failing conversion leaves no group half sent. */
function wireForm(statement: Statement): Prepared {
  const { name, text, values } = prepare(statement)
  return { name, text, values: values.map((value) => pgUtils.prepareValue(value)) }
}

/**
 * A custom query for `client.query`, as pg-cursor is one. Statements that this connection has not prepared yet are
 * parsed in a group of their own first: when a group fails, PostgreSQL undoes its Parse too, and the name would be
 * missing later.
 */
class Batch implements Submittable {
  readonly #client: Client
  readonly #plans: Plans
  readonly #statements: Prepared[]
  readonly #resolve: (rows: unknown[][]) => void
  readonly #reject: (error: Error) => void
  #results: unknown[][] = []
  #columns: Columns[] = []
  #unprepared: Prepared[] = []
  #described: Columns[] = []
  #error: Error | null = null

  constructor(
    { client, plans }: { client: Client; plans: Plans },
    statements: Prepared[],
    resolve: (rows: unknown[][]) => void,
    reject: (error: Error) => void,
  ) {
    this.#client = client
    this.#plans = plans
    this.#statements = statements
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: Connection): void {
    const wire = connection as Wire
    const state = stateOf(connection, this.#plans)
    state.running = this
    const { prepared } = state
    if (state.version !== this.#plans.version) prepared.clear()
    state.version = this.#plans.version
    this.#unprepared = this.#statements.every(({ name }) => prepared.has(name)) ? [] : this.#newTo(prepared)
    wire.stream.cork()
    if (this.#unprepared.length > 0) this.#sendParses(wire)
    else this.#sendExecutions(wire, prepared)
    wire.stream.uncork()
  }

  #newTo(prepared: Map<string, Columns>): Prepared[] {
    return this.#statements.filter(
      (one, index, all) => !prepared.has(one.name) && all.findIndex((other) => other.name === one.name) === index,
    )
  }

  #sendParses(wire: Wire): void {
    for (const { name, text } of this.#unprepared) {
      // Closed first: the name may exist from a group that failed later. Closing an unknown name is no error.
      wire.close({ type: 'S', name })
      wire.parse({ name, text })
      wire.describe({ type: 'S', name })
    }
    wire.sync()
  }

  #sendExecutions(wire: Wire, prepared: Map<string, Columns>): void {
    for (const { name, values } of this.#statements) {
      this.#columns.push(prepared.get(name) ?? [])
      wire.bind({ statement: name, values, valueMapper: unchanged })
      wire.execute({})
    }
    this.#results = [[]]
    wire.sync()
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    const types = (this.#client as unknown as { _types: CustomTypesConfig })._types
    this.#described.push(
      fields.map(({ name, dataTypeID }) => ({ name, parse: types.getTypeParser(dataTypeID, 'text') })),
    )
  }

  handleNoData(): void {
    this.#described.push([])
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const columns = this.#columns[this.#results.length - 1] ?? []
    const row: Record<string, unknown> = {}
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index]
      const text = fields[index]
      if (column) row[column.name] = text === null || text === undefined ? null : this.#read(column, text)
    }
    this.#results.at(-1)?.push(row)
  }

  /** An exception here would end the process, because this runs in an event of the socket. */
  #read(column: Columns[number], text: string): unknown {
    try {
      return column.parse(text)
    } catch (cause) {
      this.#error ??= new Error(`the column ${column.name} cannot be read`, { cause })
      return null
    }
  }

  handleCommandComplete(): void {
    this.#results.push([])
  }

  handleEmptyQuery(): void {
    this.#results.push([])
  }

  handlePortalSuspended(): void {}

  handleCopyInResponse(): void {
    this.#error = new Error('a batch cannot copy')
  }

  handleCopyData(): void {}

  handleError(error: Error): void {
    this.#error = error
    if (isStalePlan(error)) this.#plans.version++
    // After an error pg forgets the query and does not pass on ReadyForQuery: this is the last call.
    this.#reject(error)
  }

  handleReadyForQuery(connection: Connection): void {
    if (this.#error) return this.#reject(this.#error)
    if (this.#unprepared.length === 0) return this.#resolve(this.#results.slice(0, this.#statements.length))
    const { prepared } = stateOf(connection, this.#plans)
    for (const [index, { name }] of this.#unprepared.entries()) prepared.set(name, this.#described[index] ?? [])
    this.#described = []
    this.#client.query(this)
  }
}
