// An operation of the API as a value: what a request needs to know of it, and by its type what it takes and gives.

export type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'

type Declaration = { path?: unknown; query?: unknown; body?: unknown }

export type Operation<Takes extends Declaration = Declaration, Gives = unknown> = {
  /** The `operationId` of the document. */
  readonly id: string
  readonly method: Method
  /** Below the base path, with its parameters in braces. */
  readonly path: string
  /** `cursor`: a list that is read by cursors, `page`: one that is read by numbers, `file`: bytes alone. */
  readonly answer: 'json' | 'page' | 'cursor' | 'file'
  /** Whether it answers with bytes, always or on request (`format`). */
  readonly file?: true
  /** Whether its body is a form with files. */
  readonly multipart?: true
  /** Whether it works in an organization, so that the headers of organization and company go along. */
  readonly organization?: true
  /** Whether an `Idempotency-Key` makes it repeatable. */
  readonly idempotency?: true
  /** Whether it needs no credentials. */
  readonly open?: true
  /** In types alone. */
  readonly takes?: Takes
  readonly gives?: Gives
}

/** Any operation, for code that treats them alike. */
// oxlint-disable-next-line typescript/no-explicit-any -- a bound that every operation fits
export type AnyOperation = Operation<any, any>

/** One that answers with bytes. */
export type FileOperation = AnyOperation & { readonly file: true }

export const isFileOperation = (operation: AnyOperation): operation is FileOperation => operation.file === true

/** A part that an operation does not have is `never`, which as an optional member is undefined. */
type Part<Value> = [Value] extends [undefined] ? unknown : NonNullable<Value>
type Body<Takes extends Declaration> = [Takes['body']] extends [undefined]
  ? unknown
  : undefined extends Takes['body']
    ? { body?: NonNullable<Takes['body']> }
    : { body: Takes['body'] }

/** Parameters of the path and of the query beside each other, and the body. */
export type ParametersOf<One> =
  One extends Operation<infer Takes> ? Part<Takes['path']> & Part<Takes['query']> & Body<Takes> : never

export type DataOf<One> = One extends Operation<Declaration, infer Gives> ? Gives : never

/** One record of a list. */
export type ItemOf<One> = DataOf<One> extends readonly (infer Item)[] ? Item : never

/** Parameters may be left out where none is required. */
export type ArgumentsOf<One, Options> =
  {} extends ParametersOf<One>
    ? [parameters?: ParametersOf<One>, options?: Options]
    : [parameters: ParametersOf<One>, options?: Options]
