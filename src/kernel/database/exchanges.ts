// What is sent to PostgreSQL as one group with one Sync: the statements of a batch, or the preparation of a statement.
import { type Field, rowReader, type RowReader, unreadableColumn } from './row-reader.ts'
import type { PreparedStatement } from '#kernel/values/sql.ts'

/**
 * How to read the rows of a statement that is prepared on a connection; known once PostgreSQL has described it.
 * `refused` is why it could not be prepared.
 */
export type Shape = { fields: Field[]; read: RowReader; refused?: Error }

/** Takes the rows of a batch, or its error. */
export type Handlers = { resolve: (rows: unknown[][]) => void; reject: (error: Error) => void }

/** A group on the wire, until its ReadyForQuery. */
export type Exchange = {
  describe(fields: Field[]): void
  takeRow(values: (string | null)[]): void
  complete(): void
  fail(error: Error): void
  /** All of the group was answered, with or without an error. */
  end(): void
}

export class Batch implements Exchange {
  readonly statements: readonly PreparedStatement[]
  readonly #answered: Handlers
  /** One for each statement, set when the batch is sent. */
  shapes: Shape[] = []
  readonly #results: unknown[][] = []
  #rows: unknown[] = []
  #error: Error | null = null

  constructor(statements: readonly PreparedStatement[], answered: Handlers) {
    this.statements = statements
    this.#answered = answered
  }

  describe(): void {}

  /** An exception here would end the process, because this runs in an event of the socket. */
  takeRow(values: (string | null)[]): void {
    const shape = this.shapes[this.#results.length]
    if (!shape) return
    try {
      this.#rows.push(shape.read(values))
    } catch (cause) {
      this.#error ??= unreadableColumn(shape.fields, values, cause)
    }
  }

  complete(): void {
    this.#results.push(this.#rows)
    this.#rows = []
  }

  fail(error: Error): void {
    this.#error ??= error
  }

  end(): void {
    const unprepared = this.shapes.find(({ refused }) => refused)?.refused
    const error = unprepared ?? this.#error
    if (error) this.#answered.reject(error)
    else this.#answered.resolve(this.#results)
  }
}

/**
 * Prepares a statement in a group of its own: when a group fails, PostgreSQL skips the rest of it, and statements that
 * other batches need would be missing. The batches that need this one follow without waiting, and fail with its error.
 */
export class Preparation implements Exchange {
  readonly #shape: Shape
  readonly #forget: () => void

  constructor(shape: Shape, forget: () => void) {
    this.#shape = shape
    this.#forget = forget
  }

  describe(fields: Field[]): void {
    Object.assign(this.#shape, { fields, read: rowReader(fields) })
  }

  takeRow(): void {}
  complete(): void {}

  fail(error: Error): void {
    this.#shape.refused = error
    this.#forget()
  }

  end(): void {}
}
