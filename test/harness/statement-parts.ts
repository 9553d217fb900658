// Finds the parts of a SQL statement that read or write a tenant table without naming its organization_id. A part is a
// query: the body of a common table expression, a subquery, a side of a union, the rest.

type Node = string | Node[]

const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\/|\$\d+|::|[a-z_][a-z0-9_]*|\d+(?:\.\d+)?|[^\s]/gi

/** Brackets become nested lists. */
function tree(sql: string): Node[] {
  const stack: Node[][] = [[]]
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token.startsWith('--') || token.startsWith('/*')) continue
    if (token === '(') stack.push([])
    else if (token === ')') {
      const group = stack.pop() ?? []
      stack.at(-1)?.push(group)
    } else stack.at(-1)?.push(token.startsWith("'") || token.startsWith('"') ? token : token.toLowerCase())
  }
  return stack[0] ?? []
}

const isQuery = ([first]: Node[]): boolean =>
  typeof first === 'string' && ['select', 'insert', 'update', 'delete', 'with'].includes(first)

/** The words of each query; brackets of expressions are flattened, brackets of queries become parts. */
function partsOf(nodes: Node[]): string[][] {
  const parts: string[][] = [[]]
  const inner: string[][] = []
  const walk = (list: Node[]): void => {
    for (const node of list) {
      if (typeof node !== 'string') {
        if (isQuery(node)) inner.push(...partsOf(node))
        else {
          parts.at(-1)?.push('(')
          walk(node)
          parts.at(-1)?.push(')')
        }
      } else if (['union', 'intersect', 'except'].includes(node) && list === nodes) parts.push([])
      else parts.at(-1)?.push(node)
    }
  }
  walk(nodes)
  return [...parts, ...inner]
}

type Reference = { table: string; alias: string }

const LEADS_TO_TABLE = ['from', 'join', 'into', 'update', 'using', 'only']
const ENDS_LIST = [
  'where',
  'group',
  'order',
  'returning',
  'limit',
  'set',
  'select',
  'having',
  'for',
  'window',
  'values',
]
const NO_ALIAS = [...ENDS_LIST, 'on', 'join', 'left', 'inner', 'right', 'cross', 'full', 'using', 'natural', 'from']

/** The tenant tables of a part, each with its alias. */
function referencesIn(words: string[], tenantTables: ReadonlySet<string>): Reference[] {
  const found: Reference[] = []
  let isInList = false
  let depth = 0
  for (const [index, word] of words.entries()) {
    if (word === '(') depth++
    if (word === ')') depth--
    if (word === 'from' || word === 'using') isInList = true
    if (ENDS_LIST.includes(word) && depth === 0) isInList = false
    const before = words[index - 1] ?? ''
    const isTable = LEADS_TO_TABLE.includes(before) || (before === ',' && isInList && depth === 0)
    if (!isTable || !tenantTables.has(word) || words[index + 1] === '.') continue
    const next = words[index + 1] === 'as' ? words[index + 2] : words[index + 1]
    const isAlias = next !== undefined && /^[a-z_]\w*$/.test(next) && !NO_ALIAS.includes(next)
    found.push({ table: word, alias: isAlias ? next : word })
  }
  return found
}

/** The tables without their organization, as `tickets in: select …`. */
export function unbound(sql: string, tenantTables: ReadonlySet<string>): string[] {
  return partsOf(tree(sql)).flatMap((words) => {
    const references = referencesIn(words, tenantTables)
    return references
      .filter((reference) => !isBound(reference, words, references.length))
      .map(({ table }) => `${table} in: ${words.join(' ').slice(0, 300)}`)
  })
}

/** `t.organization_id`; without a prefix when the part has only one tenant table, or inserts rows into it. */
function isBound({ table, alias }: Reference, words: string[], ofSeveral: number): boolean {
  return words.some((word, index) => {
    if (word !== 'organization_id') return false
    const prefix = words[index - 1] === '.' ? words[index - 2] : undefined
    if (prefix === alias) return true
    return prefix === undefined && (ofSeveral === 1 || words[words.indexOf(table) - 1] === 'into')
  })
}
