// What is sent to PostgreSQL as one group with one Sync: the statements of a batch, or the preparation of statements.
import { type Field, rowReader, type RowReader, unreadableColumn } from './row-reader.ts'
import type { Prepared } from '#kernel/data/sql.ts'

/**
 * How to read the rows of a statement that is prepared on a connection; known once PostgreSQL has described it. `refused` is
 * why it could not be prepared.
 */
export type Shape = { fields: Field[]; read: RowReader; refused?: Error }

/** Takes the rows of a batch, or its error. */
export type Answered = { resolve: (rows: unknown[][]) => void; reject: (error: Error) => void }

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
  readonly statements: readonly Prepared[]
  readonly #answered: Answered
  /** One for each statement, set when the batch is sent. */
  shapes: Shape[] = []
  readonly #results: unknown[][] = []
  #rows: unknown[] = []
  #error: Error | null = null

  constructor(statements: readonly Prepared[], answered: Answered) {
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
 * Prepares statements in a group of their own: when a group fails, PostgreSQL undoes its Parse too, and the name would be
 * missing later. The batches that need them follow without waiting, and fail with the error of this group.
 */
export class Preparation implements Exchange {
  readonly #shapes: readonly [name: string, shape: Shape][]
  readonly #forget: (name: string, shape: Shape) => void
  #described = 0

  constructor(shapes: readonly [string, Shape][], forget: (name: string, shape: Shape) => void) {
    this.#shapes = shapes
    this.#forget = forget
  }

  describe(fields: Field[]): void {
    const [, shape] = this.#shapes[this.#described++] ?? []
    if (shape) Object.assign(shape, { fields, read: rowReader(fields) })
  }

  takeRow(): void {}
  complete(): void {}

  fail(error: Error): void {
    for (const [name, shape] of this.#shapes) {
      shape.refused = error
      this.#forget(name, shape)
    }
  }

  end(): void {}
}
