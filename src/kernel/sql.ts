// SQL as SQL: a tagged template gives a named, parameterised statement that can be nested in another.

const isStatement = Symbol('statement')
const isRaw = Symbol('raw')

type Raw = { readonly [isRaw]: true; readonly text: string }

export type Statement<Row = unknown> = {
  readonly [isStatement]: true
  readonly strings: readonly string[]
  readonly parts: readonly unknown[]
  /** The row's type; never present at run time. */
  readonly row?: Row
}

/** One statement ready for the wire: `$1`…`$n` in the text, a name under which it is prepared once per connection. */
export type Prepared = { readonly name: string; readonly text: string; readonly values: unknown[] }

/** `select … where id = ${id}`: values become parameters, nested statements and `raw` become text. */
export function sql<Row = unknown>(strings: TemplateStringsArray, ...parts: unknown[]): Statement<Row> {
  return { [isStatement]: true, strings, parts }
}

/** Trusted text (a column list, a table's name). Never give it anything that a client sent. */
export function raw(text: string): Raw {
  return { [isRaw]: true, text }
}

export const nothing = sql``

/** `join([a, b], ' and ')` */
export function join(statements: readonly Statement[], separator: string): Statement {
  const strings = ['', ...statements.slice(1).map(() => separator), '']
  return statements.length === 0 ? nothing : { [isStatement]: true, strings, parts: statements }
}

/** The fragment when the value is there, else nothing: ``when(query.status, (status) => sql`and status = ${status}`)``. */
export function when<Value>(value: Value | null | undefined, fragment: (value: Value) => Statement): Statement {
  return value === null || value === undefined ? nothing : fragment(value)
}

const names = new Map<string, string>()

/** Text and values of a statement, with a name that is the same for the same text. */
export function prepare(statement: Statement): Prepared {
  const values: unknown[] = []
  const text = write(statement, values)
  let name = names.get(text)
  if (name === undefined) {
    name = `s${names.size + 1}`
    names.set(text, name)
  }
  return { name, text, values }
}

function write(statement: Statement, values: unknown[]): string {
  let text = statement.strings[0] ?? ''
  for (const [index, part] of statement.parts.entries()) {
    if (is<Statement>(part, isStatement)) text += write(part, values)
    else if (is<Raw>(part, isRaw)) text += part.text
    else text += `$${values.push(part)}`
    text += statement.strings[index + 1] ?? ''
  }
  return text
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what the mark stands for
function is<Kind>(part: unknown, mark: symbol): part is Kind {
  return typeof part === 'object' && part !== null && mark in part
}
