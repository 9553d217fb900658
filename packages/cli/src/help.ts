// What `--help` shows: all areas, the commands of an area, or one command with its flags.
import { commandOf, commandsIn, index } from './catalogue.ts'
import { flagOf, type Command, type Field } from './command.ts'
import { bold, hasColor, visible, type Console } from './console.ts'
import { flagsWith, LEADING, type Flag } from './flags.ts'
import { padEnd, wrap, widthOf } from './output/text.ts'
import { OWN } from './own-commands.ts'

type Row = readonly [name: string, about: string]

const NARROWEST = 60
const WIDEST = 110
const NAMES = 34

export function help(console: Console, words: readonly string[]): string {
  const [area, verb] = words
  const page = pageOf(console)
  const own = area === undefined ? undefined : OWN[area]
  if (area === undefined) return visible(overview(page))
  if (own) return visible(page([wordsOf(`titular ${own.usage}`, `${own.about}.`), ['FLAGS', own.flags.map(flagRow)]]))
  if (verb !== undefined) return visible(page(helpOf(commandOf(area, verb))))
  const { areas } = index()
  const found = areas[area]
  // Says what may have been meant.
  if (!found) return visible(page(helpOf(commandOf(area, ''))))
  const verbs = commandsIn(area).map((one): Row => [
    [one.verb, ...one.path.map(({ name }) => `<${name}>`)].join(' '),
    one.summary,
  ])
  return visible(page([wordsOf(`titular ${area} COMMAND [flags]`, found.about), ['COMMANDS', verbs]]))
}

type Part = { text: string } | readonly [title: string, rows: readonly Row[]]
type Page = (parts: readonly Part[]) => string

const wordsOf = (usage: string, about: string): Part => ({ text: `Usage: ${usage}\n\n${about}` })

function pageOf(console: Console): Page {
  const width = Math.min(WIDEST, Math.max(NARROWEST, (console.out.columns ?? WIDEST) - 1))
  const isColored = hasColor(console, console.out)
  return (parts) =>
    `${parts
      .flatMap((part) =>
        'text' in part ? [wrap(part.text, width)] : part[1].length > 0 ? [table(part, width, isColored)] : [],
      )
      .join('\n\n')}\n`
}

function table([title, rows]: readonly [string, readonly Row[]], width: number, isColored: boolean): string {
  const column = Math.min(NAMES, Math.max(...rows.map(([name]) => widthOf(name))))
  const lines = rows.map(([name, about]) => {
    const text = wrap(about, width - column - 4, ' '.repeat(column + 4))
    const isLong = widthOf(name) > column
    return `  ${padEnd(name, column)}${isLong && text !== '' ? `\n${' '.repeat(column + 4)}` : '  '}${text}`.trimEnd()
  })
  return `${bold(title, isColored)}\n${lines.join('\n')}`
}

function overview(page: Page): string {
  const { areas } = index()
  const own = Object.entries(OWN).map(([name, { about }]): Row => [name, about])
  return page([
    wordsOf('titular [flags] AREA COMMAND [flags]', 'The command line of a Titular service.'),
    ['TO BEGIN WITH', own],
    ['AREAS', Object.entries(areas).map(([name, { about }]): Row => [name, about])],
    ['FLAGS', LEADING.map(flagRow)],
    {
      text:
        'titular AREA --help lists the commands of an area, titular AREA COMMAND --help says what one takes. ' +
        'Where a field of a command has the name of a flag, the flag stands before the area.',
    },
  ])
}

const flagRow = ({ name, hasValue, about, values }: Flag): Row => [
  `${name === 'help' ? '-h, ' : ''}--${name}${hasValue ? ` ${valueName(values)}` : ''}`,
  about,
]

const valueName = (values: readonly string[] | undefined): string =>
  values && values.join('|').length <= 24 ? values.join('|') : 'VALUE'

export function helpOf(command: Command): Part[] {
  const { area, verb, path, summary, about, query, body } = command
  const needed = [...query, ...body].filter((one) => one.required).map((one) => `--${flagOf(one.name)} …`)
  const usage = ['titular', area, verb, ...path.map(({ name }) => `<${name}>`), ...needed, '[flags]'].join(' ')
  const flags = flagsWith(command)
  const hidden = LEADING.filter(({ name }) => !flags.some((one) => one.name === name) && hasField(command, name))
  const note =
    hidden.length === 0
      ? []
      : [
          {
            text: `As flags of the program ${hidden.map(({ name }) => `--${name}`).join(', ')} stand before "${area}".`,
          },
        ]
  return [
    wordsOf(usage, [summary, about].filter(Boolean).join('\n\n')),
    ['ARGUMENTS', path.map((field): Row => [`<${field.name}>`, aboutOf(field)])],
    ['FILTERS AND PARAMETERS', query.map(fieldRow)],
    ['FIELDS', body.map(fieldRow)],
    ['FLAGS', flags.map(flagRow)],
    ...note,
  ]
}

const hasField = ({ query, body }: Command, name: string): boolean =>
  [...query, ...body].some((one) => flagOf(one.name) === name)

const TAKES: { readonly [kind in Field['kind']]: string } = {
  text: ' TEXT',
  any: ' VALUE',
  integer: ' N',
  number: ' N',
  boolean: '',
  json: ' JSON',
  map: ' JSON',
  list: ' TEXT,…',
  integers: ' N,…',
  file: ' FILE',
}

const fieldRow = (field: Field): Row => [
  `--${flagOf(field.name)}${field.kind === 'map' ? '[.KEY]' : ''}${TAKES[field.kind]}`,
  aboutOf(field),
]

function aboutOf({ about = '', values, required, nullable, name }: Field): string {
  const choices = values && values.length > 0 ? `One of ${values.join(', ')}` : ''
  const end = [
    ...(required && !name.includes('.') ? ['required'] : []),
    ...(nullable ? [`--no-${flagOf(name)} empties it`] : []),
  ]
  return [about, choices, end.length > 0 ? `(${end.join('; ')})` : '']
    .filter(Boolean)
    .join('. ')
    .replace(/([.?!])\. /g, '$1 ')
}
