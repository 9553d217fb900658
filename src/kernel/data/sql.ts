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
  if (statements.length === 0) return nothing
  const key = `${statements.length}:${separator}`
  let strings = separators.get(key)
  if (!strings) separators.set(key, (strings = ['', ...statements.slice(1).map(() => separator), '']))
  return { [isStatement]: true, strings, parts: statements }
}

/** The same array for the same join, as a template literal gives the same one at every evaluation. */
const separators = new Map<string, readonly string[]>()

/** The fragment when the value is there, else nothing: ``when(query.status, (status) => sql`and status = ${status}`)``. */
export function when<Value>(value: Value | null | undefined, fragment: (value: Value) => Statement): Statement {
  return value === null || value === undefined ? nothing : fragment(value)
}

type Known = { readonly name: string; readonly text: string }

/** A statement's text follows from the templates that it is nested of: it is written once for each such shape. */
const byShape = new Map<string, Known>()
const byText = new Map<string, Known>()
const templates = new Map<readonly string[], number>()

/** Text and values of a statement, with a name that is the same for the same text. */
export function prepare(statement: Statement): Prepared {
  const values: unknown[] = []
  const shape = read(statement, values)
  let known = byShape.get(shape)
  if (known === undefined) {
    const text = write(statement, { parameters: 0 })
    known = byText.get(text) ?? { name: `s${byText.size + 1}`, text }
    byText.set(text, known)
    byShape.set(shape, known)
  }
  return { ...known, values }
}

/** Takes the values out, and gives the shape: template numbers, in brackets what is nested, raw text behind its length. */
function read({ strings, parts }: Statement, values: unknown[]): string {
  let number = templates.get(strings)
  if (number === undefined) templates.set(strings, (number = templates.size))
  let shape = `${number}(`
  for (const part of parts) {
    if (is<Statement>(part, isStatement)) shape += read(part, values)
    else if (is<Raw>(part, isRaw)) shape += `r${part.text.length}:${part.text}`
    else {
      values.push(part)
      shape += '$'
    }
  }
  return `${shape})`
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
function is<Kind>(part: unknown, mark: symbol): part is Kind {
  return typeof part === 'object' && part !== null && mark in part
}
