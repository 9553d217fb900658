// SQL as a tagged template: it gives a named statement with parameters, which can be nested in another one.

const isStatement = Symbol('statement')
const isRaw = Symbol('raw')

type Raw = { readonly [isRaw]: true; readonly text: string }

export type Statement<Row = unknown> = {
  readonly [isStatement]: true
  readonly strings: readonly string[]
  readonly parts: readonly unknown[]
  /** It sets what policies read. */
  readonly isBinding?: true
  /** Only carries the type of the row; never present at run time. */
  readonly row?: Row
}

/** The rows of each of several statements. */
export type RowsOf<All extends readonly Statement[]> = {
  [Each in keyof All]: All[Each] extends Statement<infer Row> ? Row[] : never
}

/** A statement that is ready to be sent: `$1`…`$n` in the text, and the name under which connections prepare it. */
export type PreparedStatement = { readonly name: string; readonly text: string; readonly values: unknown[] }

/** `select … where id = ${id}`: values become parameters, nested statements and `raw` become text. */
export function sql<Row = unknown>(strings: TemplateStringsArray, ...parts: unknown[]): Statement<Row> {
  return { [isStatement]: true, strings, parts }
}

/** The statement, which sets what policies read. */
export const binding = <Row>(statement: Statement<Row>): Statement<Row> => ({ ...statement, isBinding: true })

/** Trusted text, such as a list of columns. Never pass anything that a client sent. */
export const raw = (text: string): Raw => ({ [isRaw]: true, text })

export const nothing = sql``

/** A time as the API's answers have it, for use inside JSON, where the database's parsers do not reach. */
export const timeInJson = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** `join([a, b], ' and ')` */
export function join(statements: readonly Statement[], separator: string): Statement {
  if (statements.length === 0) return nothing
  const key = `${statements.length}:${separator}`
  let strings = separators.get(key)
  if (!strings) separators.set(key, (strings = ['', ...statements.slice(1).map(() => separator), '']))
  return { [isStatement]: true, strings, parts: statements }
}

/** The same array for the same join, because statements are cached by the identity of their template's strings. */
const separators = new Map<string, readonly string[]>()

/** The fragment if there is a value, else nothing: ``when(query.status, (status) => sql`and status = ${status}`)``. */
export function when<Value>(value: Value | null | undefined, fragment: (value: Value) => Statement): Statement {
  return value === null || value === undefined ? nothing : fragment(value)
}

/** For a filter of several values. One is compared by itself, since only then an index gives the order of the list. */
export function isOneOf(column: Statement | string, values: readonly unknown[] | undefined): Statement {
  const field = typeof column === 'string' ? raw(column) : column
  return when(values, ([one, ...others]) =>
    others.length === 0 ? sql`and ${field} = ${one}` : sql`and ${field} = any(${values}::text[])`,
  )
}

/** The rows that a batch has given for the statement, which carries their type. */
export const rowsOf = <Row>(_statement: Statement<Row>, rows: readonly unknown[] = []): Row[] => rows as Row[]

type NamedText = { readonly name: string; readonly text: string }

/**
 * Statements by what determines their text: their templates, nested templates, raw texts, and where values stand. Each
 * step is a lookup by identity, so that a text of some hundred characters is neither built nor hashed for each use.
 */
type Step = { next: Map<unknown, Step>; known?: NamedText }
const first: Step = { next: new Map() }
const VALUE = Symbol('value')
const END = Symbol('end')

const byText = new Map<string, NamedText>()

/** Text and values of a statement; the same text always has the same name. */
export function prepare(statement: Statement): PreparedStatement {
  const values: unknown[] = []
  const last = follow(first, statement, values)
  if (last.known === undefined) {
    const text = write(statement, { parameters: 0 })
    last.known = byText.get(text) ?? { name: `s${byText.size + 1}`, text }
    byText.set(text, last.known)
  }
  const { name, text } = last.known
  return { name, text, values }
}

function follow(from: Step, { strings, parts }: Statement, values: unknown[]): Step {
  let step = after(from, strings)
  for (const part of parts) {
    if (typeof part !== 'object' || part === null) {
      values.push(part)
      step = after(step, VALUE)
    } else if (isStatement in part) step = follow(step, part as Statement, values)
    else if (isRaw in part) step = after(step, (part as Raw).text)
    else {
      values.push(part)
      step = after(step, VALUE)
    }
  }
  return after(step, END)
}

function after({ next }: Step, mark: unknown): Step {
  let step = next.get(mark)
  if (step === undefined) next.set(mark, (step = { next: new Map() }))
  return step
}

function write({ strings, parts }: Statement, written: { parameters: number }): string {
  let text = strings[0] ?? ''
  for (const [index, part] of parts.entries()) {
    if (is<Statement>(part, isStatement)) text += write(part, written)
    else if (is<Raw>(part, isRaw)) text += part.text
    else text += `$${++written.parameters}`
    text += strings[index + 1] ?? ''
  }
  return text
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what the mark stands for
const is = <Kind>(part: unknown, mark: symbol): part is Kind =>
  typeof part === 'object' && part !== null && mark in part
