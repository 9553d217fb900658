// From what was typed after a command to the parameters of its operation.
import { commandOf } from './catalogue.ts'
import { flagOf, spelled, type Command, type Field } from './command.ts'
import { fieldsOf, flagsWith, readFlags, type FlagValues } from './flags.ts'
import { UsageError } from './usage-error.ts'
import { dataOf, fileOf, valueOf } from './values.ts'

export type Arguments = { command: Command; parameters: Record<string, unknown>; own: FlagValues }

type Setting = { field: Field; typed: string }

/** The member of a field by the flag that was typed; `no-` of one takes it back. */
export function fieldOf(command: Command, typed: string): Field | null {
  const name = spelled(typed)
  const exact = fieldsOf(command).find((one) => flagOf(one.name) === name)
  if (exact) return exact
  const map = fieldsOf(command).find((one) => one.kind === 'map' && name.startsWith(`${flagOf(one.name)}.`))
  return map ? { name: `${map.name}.${typed.slice(flagOf(map.name).length + 1)}`, kind: 'text' } : null
}

const isClearable = ({ kind, nullable }: Field): boolean => kind === 'boolean' || nullable === true

export const flagNames = (command: Command): string[] => [
  ...flagsWith(command).map(({ name }) => name),
  ...fieldsOf(command).flatMap((one) => [flagOf(one.name), ...(isClearable(one) ? [`no-${flagOf(one.name)}`] : [])]),
]

/** Throws a UsageError that names what is wrong before anything is sent. Help is asked for by a flag alone. */
export async function argumentsOf(
  area: string,
  verb: string,
  args: readonly string[],
  stdin: () => Promise<string>,
  isHelp: (given: FlagValues) => boolean,
  leadingData?: string,
): Promise<Arguments> {
  const command = commandOf(area, verb)
  const title = `${area} ${verb}`
  const own = new Set(flagsWith(command).map(({ name }) => name))
  const lookup = (typed: string) => {
    const field = fieldOf(command, typed)
    if (field) return { hasValue: field.kind !== 'boolean' }
    const program = flagsWith(command).find(({ name }) => name === spelled(typed))
    if (program) return program
    const cleared = typed.startsWith('no-') ? fieldOf(command, typed.slice(3)) : null
    return cleared && isClearable(cleared) ? { hasValue: false } : null
  }
  const given = readFlags(args, lookup, () => flagNames(command), title)
  if (isHelp(given)) return { command, parameters: {}, own: given }
  const isOwn = (typed: string): boolean => own.has(spelled(typed)) && !fieldOf(command, typed)
  const ofProgram = [...given.flags].flatMap(([typed, texts]): [string, string[]][] =>
    isOwn(typed) ? [[spelled(typed), texts]] : [],
  )
  const parameters = { ...pathOf(command, given.words), ...queryOf(command, given) }
  const data = ofProgram.find(([name]) => name === 'data')?.[1].at(-1) ?? leadingData
  const body = await bodyOf(command, given, isOwn, data === undefined ? undefined : await dataOf(data, stdin))
  return {
    command,
    parameters: body === undefined ? parameters : { ...parameters, body },
    own: { flags: new Map(ofProgram), words: given.words },
  }
}

function pathOf(command: Command, words: readonly string[]): Record<string, unknown> {
  const title = `${command.area} ${command.verb}`
  const lacking = command.path.slice(words.length).map(({ name }) => `<${name}>`)
  if (lacking.length > 0) throw new UsageError(`${title} needs ${lacking.join(' ')}`, title)
  if (words.length > command.path.length)
    throw new UsageError(`${title}: "${words[command.path.length] ?? ''}" is one word too many`, title)
  return Object.fromEntries(
    command.path.map((field, at) => [field.name, valueOf(field, `<${field.name}>`, words[at] ?? '')]),
  )
}

function queryOf(command: Command, given: FlagValues): Record<string, unknown> {
  const settings = settingsOf(command, given, (field) => command.query.some((one) => one.name === field.name))
  const title = `${command.area} ${command.verb}`
  const lacking = command.query.filter((one) => one.required && !settings.some(({ field }) => field.name === one.name))
  if (lacking.length > 0) throw new UsageError(`${title} needs ${named(lacking)}`, title)
  return Object.fromEntries(
    settings.map(({ field, typed }) => {
      const texts = given.flags.get(typed) ?? []
      // Several values of a filter stand there by comma.
      if (field.kind === 'list' || field.kind === 'integers') return [field.name, texts.join(',')]
      return [field.name, typed.startsWith('no-') ? false : valueOf(field, `--${typed}`, texts.at(-1) ?? '')]
    }),
  )
}

const named = (fields: readonly Field[]): string => fields.map(({ name }) => `--${flagOf(name)}`).join(', ')

function settingsOf(command: Command, given: FlagValues, isWanted: (field: Field) => boolean): Setting[] {
  return [...given.flags.keys()].flatMap((typed) => {
    const field = fieldOf(command, typed) ?? fieldOf(command, typed.replace(/^no-/, ''))
    return field && isWanted(field) ? [{ field, typed }] : []
  })
}

async function bodyOf(
  command: Command,
  given: FlagValues,
  isOwn: (typed: string) => boolean,
  data: unknown,
): Promise<unknown> {
  const inQuery = new Set(command.query.map(({ name }) => name))
  const settings = settingsOf(command, given, (field) => !inQuery.has(field.name)).filter(({ typed }) => !isOwn(typed))
  const title = `${command.area} ${command.verb}`
  if (command.body.length === 0) {
    if (data !== undefined) throw new UsageError(`${title} takes no --data`, title)
    return undefined
  }
  if (settings.length > 0 && data !== undefined && !isRecord(data))
    throw new UsageError('--data has to be an object where flags come on top of it', title)
  const body = data === undefined ? {} : structuredClone(data)
  // The shorter path first, so that members come on top of the whole that is given beside them.
  for (const { field, typed } of settings.toSorted((one, other) => one.typed.length - other.typed.length))
    place(body, pathTo(field, typed), await given1(field, typed, given))
  if (data === undefined) {
    const lacking = command.body.filter((one) => one.required && isRecord(body) && !(one.name in body))
    if (lacking.length > 0 && (command.needsBody || settings.length > 0))
      throw new UsageError(`${title} needs ${named(lacking)}`, title)
  }
  const isEmpty = data === undefined && settings.length === 0
  return isEmpty && !command.needsBody ? undefined : body
}

async function given1(field: Field, typed: string, given: FlagValues): Promise<unknown> {
  const texts = given.flags.get(typed) ?? []
  if (typed.startsWith('no-') && flagOf(field.name) !== spelled(typed)) return field.kind === 'boolean' ? false : null
  if (field.kind === 'boolean') return true
  if (field.kind === 'file') return fileOf(texts.at(-1) ?? '')
  if (field.kind === 'list' || field.kind === 'integers')
    return texts.flatMap((text) => valueOf(field, `--${typed}`, text))
  return valueOf(field, `--${typed}`, texts.at(-1) ?? '')
}

/** `line_items[].quantity` with the numbers that were typed: `line_items`, `0`, `quantity`. */
function pathTo(field: Field, typed: string): string[] {
  const numbers = typed.split('.').filter((part) => /^\d+$/.test(part))
  return field.name.split(/\.|(?=\[\])/).map((part) => (part === '[]' ? (numbers.shift() ?? '0') : part))
}

type Record_ = Record<string, unknown>
const isRecord = (value: unknown): value is Record_ =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function place(body: unknown, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (typeof body !== 'object' || body === null) return
  if (rest.length === 0) {
    Object.defineProperty(body, name, { value, enumerable: true, configurable: true, writable: true })
    return
  }
  const found: unknown = Object.entries(body).find(([one]) => one === name)?.[1]
  const next = typeof found === 'object' && found !== null ? found : /^\d+$/.test(rest[0] ?? '') ? [] : {}
  if (next !== found)
    Object.defineProperty(body, name, { value: next, enumerable: true, configurable: true, writable: true })
  place(next, rest, value)
}
