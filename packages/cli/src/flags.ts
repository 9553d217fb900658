// The flags that the program itself has, and the reading of flags, by `util.parseArgs`.
import { parseArgs } from 'node:util'
import { maybe } from './catalogue.ts'
import { flagOf, isFeed, isList, spelled, type Command, type Field } from './command.ts'
import { UsageError } from './usage-error.ts'

export type Flag = { name: string; hasValue: boolean; about: string; values?: readonly string[] }

export const flag = (name: string, about: string, values?: readonly string[]): Flag => ({
  name,
  hasValue: true,
  about,
  ...(values && { values }),
})
export const toggle = (name: string, about: string): Flag => ({ name, hasValue: false, about })

export const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const
export type Format = (typeof FORMATS)[number]

const PLACE = [
  flag('profile', 'Whose credentials and which service; TITULAR_PROFILE'),
  flag('url', 'Where the service is; TITULAR_URL'),
  flag('language', 'Of the sentences of the service: pt-BR or en; TITULAR_LANGUAGE'),
]
const OUTPUT = [
  flag('format', 'How the answer is written: table on a terminal, else json; TITULAR_FORMAT', FORMATS),
  flag('columns', 'The fields of a table or of CSV, by comma: id,number,customer.name'),
]
const ORGANIZATION = [
  flag('organization', 'The id of the organization to work in; TITULAR_ORGANIZATION'),
  flag('company', 'The legal entity, where no record decides it; TITULAR_COMPANY', ['entity_br', 'entity_global']),
]
const VERBOSE = toggle('verbose', 'Also the status, the ETag and the id of the request, on the error output')
const REASON = flag('reason', 'Why, for the audit log')
const IF_MATCH = flag(
  'if-match',
  'The ETag of the record as it was seen: the change is refused when it is another one now',
)
const IDEMPOTENCY_KEY = flag('idempotency-key', 'Makes the call safe to repeat: with the same key it happens once')
const DATA = flag('data', 'The body as JSON: {…}, @FILE, or - for the standard input; flags come on top of it')
const FILE = flag('output', 'Where to save the file; - for the standard output')
const ALL = toggle('all', 'All pages')
export const FEED = [
  toggle('watch', 'Wait for what happens, until Ctrl-C; begins with what is new, unless --after says where'),
  toggle('resume', 'With --watch: go on after the last event of the time before'),
]
export const HELP = toggle('help', 'This text')
const VERSION = toggle('version', 'The version of this program')

/** What may stand before the command, where it always has the program's own meaning. */
export const LEADING: readonly Flag[] = [
  ...PLACE,
  ...OUTPUT,
  ...ORGANIZATION,
  REASON,
  IF_MATCH,
  IDEMPOTENCY_KEY,
  DATA,
  FILE,
  ALL,
  ...FEED,
  VERBOSE,
  HELP,
  VERSION,
]

/** The program's flags that make sense with a command, without those whose name is one of its own fields. */
export function flagsWith(command: Command): Flag[] {
  const { operation, reason, ifMatch, body } = command
  const own = new Set(fieldsOf(command).map(({ name }) => flagOf(name)))
  return [
    ...(body.length > 0 ? [DATA] : []),
    ...(isList(command) ? [ALL] : []),
    ...(isFeed(command) ? FEED : []),
    ...(operation.file ? [FILE] : []),
    ...(operation.answer === 'file' ? [] : [...OUTPUT, VERBOSE]),
    ...(reason ? [REASON] : []),
    ...(ifMatch ? [IF_MATCH] : []),
    ...(operation.idempotency ? [IDEMPOTENCY_KEY] : []),
    ...(operation.organization ? ORGANIZATION : []),
    ...PLACE,
    HELP,
  ].filter(({ name }) => !own.has(name))
}

export const fieldsOf = ({ query, body }: Command): readonly Field[] => [...query, ...body]

/** What was given: by the name of the flag as it was typed, each time. */
export type FlagValues = { flags: Map<string, string[]>; words: string[] }

/** Whether a flag takes a value; null where there is none of that name. */
export type Lookup = (name: string) => { hasValue: boolean } | null

export function readFlags(
  args: readonly string[],
  lookup: Lookup,
  known: () => readonly string[],
  command = '',
): FlagValues {
  const options: Record<string, { type: 'string' | 'boolean'; multiple: true; short?: string }> = {}
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const rewritten = args.map((arg, at) => {
    if (at >= end || !arg.startsWith('--')) return arg
    const [, typed = '', value] = /^--([^=]*)(?:=([^]*))?$/.exec(arg) ?? []
    const found = lookup(typed)
    if (!found) throw new UsageError(`There is no flag --${typed}${maybe(spelled(typed), known())}`, command)
    const isSwitchedOff = !found.hasValue && value === 'false'
    const name = isSwitchedOff ? `no-${typed}` : typed
    options[name] = { type: found.hasValue ? 'string' : 'boolean', multiple: true }
    return !found.hasValue && (value === 'true' || isSwitchedOff) ? `--${name}` : arg
  })
  options['help'] ??= { type: 'boolean', multiple: true }
  options['help'].short = 'h'
  const { values, positionals } = parsed(rewritten, options, command)
  const flags = Object.entries(values).map(([name, given]): [string, string[]] => [
    name,
    [given ?? []].flat().map(String),
  ])
  return { flags: new Map(flags), words: positionals }
}

function parsed(args: string[], options: NonNullable<Parameters<typeof parseArgs>[0]>['options'], command: string) {
  try {
    return parseArgs({ args, ...(options && { options }), allowPositionals: true, strict: true })
  } catch (error) {
    // Its sentences are of several lines, with advice for programmers.
    const [sentence = ''] = String(error instanceof Error ? error.message : error).split('\n')
    throw new UsageError(sentence.replace(/ To specify .*$/, ''), command)
  }
}

/** With flags that are the same for every use of a command. */
export const readWith = (args: readonly string[], flags: readonly Flag[], command: string): FlagValues =>
  readFlags(
    args,
    (name) => flags.find((one) => one.name === name) ?? null,
    () => flags.map(({ name }) => name),
    command,
  )

export const lastOf = (given: FlagValues, name: string): string | undefined => given.flags.get(name)?.at(-1)
export const isOn = (given: FlagValues, name: string): boolean => given.flags.has(name)
