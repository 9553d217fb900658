// SQL as a tagged template: it gives a named statement with parameters, which can be nested in another one.

const isStatement = Symbol('statement')
const isRaw = Symbol('raw')

type Raw = { readonly [isRaw]: true; readonly text: string }

export type Statement<Row = unknown> = {
  readonly [isStatement]: true
  readonly strings: readonly string[]
  readonly parts: readonly unknown[]
  /** Only carries the type of the row; never present at run time. */
  readonly row?: Row
}

/** A statement that is ready to be sent: `$1`…`$n` in the text, and the name under which connections prepare it. */
export type Prepared = { readonly name: string; readonly text: string; readonly values: unknown[] }

/** `select … where id = ${id}`: values become parameters, nested statements and `raw` become text. */
export function sql<Row = unknown>(strings: TemplateStringsArray, ...parts: unknown[]): Statement<Row> {
  return { [isStatement]: true, strings, parts }
}

/** Trusted text, such as a list of columns. Never pass anything that a client sent. */
export function raw(text: string): Raw {
  return { [isRaw]: true, text }
}

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

type NamedText = { readonly name: string; readonly text: string }

/** Texts by shape: the templates that a statement consists of determine its text, which is therefore built once. */
const byShape = new Map<string, NamedText>()
const byText = new Map<string, NamedText>()
const templates = new Map<readonly string[], number>()

/** Text and values of a statement; the same text always has the same name. */
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

/** Collects the values and gives the shape: numbers of templates, nested ones in brackets, raw texts with length. */
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
