// Completion: scripts of three shells, which ask this program for the words that may follow.
import { flagNames, fieldOf } from './arguments.ts'
import { commandsIn, index } from './catalogue.ts'
import { flagOf, spelled, type Command } from './command.ts'
import type { Console } from './console.ts'
import { fieldsOf, flagsWith, LEADING, type Flag } from './flags.ts'
import { OWN } from './own-commands.ts'
import { profilesOf } from './profiles.ts'
import { UsageError } from './usage-error.ts'

const BASH = `_titular() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("\${line%%$'\\t'*}"); done \\
    < <(titular __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _titular titular
`
const ZSH = `#compdef titular
_titular() {
  local line
  local -a candidates
  for line in "\${(@f)$(titular __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#candidates} )); then _describe titular candidates; else _files; fi
}
if [[ $funcstack[1] == _titular ]]; then _titular "$@"; else compdef _titular titular; fi
`
const FISH = `function __titular_complete
    set -l words (commandline -opc)
    set -l found (titular __complete $words[2..-1] (commandline -ct | string collect --allow-empty) 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c titular -f -a '(__titular_complete)'
`
const SCRIPTS: { readonly [shell: string]: string } = { bash: BASH, zsh: ZSH, fish: FISH }

export function completionOf(shell: string | undefined): string {
  const found = shell === undefined ? undefined : SCRIPTS[shell]
  if (found === undefined) throw new UsageError('completion bash, completion zsh, or completion fish', 'completion')
  return found
}

type Candidate = readonly [word: string, about: string]

/** Lines of a word and what it means; none where a file may follow. */
export function candidates(console: Console, given: readonly string[]): string {
  const words = joined(given)
  const last = words.at(-1) ?? ''
  const [name = '', value] = /^(--[^=]+)=(.*)$/.exec(last)?.slice(1) ?? []
  // What bash takes for three words is one, and it completes only the part behind the sign.
  const found =
    value === undefined ? following(console, words.slice(0, -1), last) : valuesAfter(console, words.slice(0, -1), name)
  const typed = value ?? last
  const prefix = value !== undefined && given.at(-1) === last ? `${name}=` : ''
  return found
    .filter(([word]) => word.startsWith(typed))
    .map(([word, about]) => `${prefix}${word}\t${about.split('\n')[0] ?? ''}\n`)
    .join('')
}

/** bash ends words at an equals sign. */
function joined(words: readonly string[]): string[] {
  const result: string[] = []
  for (const word of words) {
    const isPart = word === '=' || (result.at(-1)?.startsWith('--') && result.at(-1)?.endsWith('='))
    if (isPart && result.length > 0) result.push(`${result.pop() ?? ''}${word}`)
    else result.push(word)
  }
  return result
}

type Context = {
  own: string | null
  area: string | null
  command: Command | null
  isWaiting: string | null
  words: number
}

const flagIn = (flags: readonly Flag[], typed: string): Flag | undefined =>
  flags.find(({ name }) => name === spelled(typed))

/** Where the words before have got to; `isWaiting` is the flag whose value comes next. */
function contextOf(words: readonly string[]): Context {
  const context: Context = { own: null, area: null, command: null, isWaiting: null, words: 0 }
  for (const word of words) {
    if (context.isWaiting !== null) context.isWaiting = null
    else if (word.startsWith('--')) {
      if (!word.includes('=') && hasValue(context, word.slice(2))) context.isWaiting = word
    } else if (context.own === null && context.area === null) {
      if (OWN[word]) context.own = word
      else context.area = word
    } else if (context.area !== null && context.command === null)
      context.command = commandsOrNone(context.area).find((one) => one.verb === word) ?? null
    else context.words++
  }
  return context
}

function commandsOrNone(area: string): Command[] {
  return index().areas[area] ? commandsIn(area) : []
}

function hasValue({ own, command }: Context, typed: string): boolean {
  const field = command && fieldOf(command, typed)
  if (field) return field.kind !== 'boolean'
  return (
    flagIn(command ? flagsWith(command) : own === null ? LEADING : (OWN[own]?.flags ?? []), typed)?.hasValue ?? false
  )
}

function following(console: Console, words: readonly string[], typed: string): Candidate[] {
  const context = contextOf(words)
  const { own, area, command, isWaiting } = context
  if (isWaiting !== null) return valuesAfter(console, words.slice(0, -1), isWaiting)
  if (typed.startsWith('-')) return flagsIn(context)
  if (own === 'profile' && context.words === 1)
    return profilesOf(console.env)
      .names()
      .map((name) => [name, ''])
  if (own !== null) return context.words === 0 ? (OWN[own]?.words ?? []).map((word) => [word, '']) : []
  if (area === null) {
    const areas = Object.entries(index().areas).map(([name, { about }]): Candidate => [name, about])
    return [...Object.entries(OWN).map(([name, { about }]): Candidate => [name, about]), ...areas]
  }
  return command ? [] : commandsOrNone(area).map(({ verb, summary }): Candidate => [verb, summary])
}

function flagsIn({ own, command }: Context): Candidate[] {
  if (own !== null) return (OWN[own]?.flags ?? []).map(({ name, about }) => [`--${name}`, about])
  if (!command) return LEADING.map(({ name, about }) => [`--${name}`, about])
  const abouts = new Map([
    ...flagsWith(command).map(({ name, about }): [string, string] => [name, about]),
    ...fieldsOf(command).map(({ name, about = '' }): [string, string] => [flagOf(name), about]),
  ])
  return flagNames(command).map((name) => [`--${name.replaceAll('.N', '.0')}`, abouts.get(name) ?? ''])
}

function valuesAfter(console: Console, words: readonly string[], flag: string): Candidate[] {
  const { own, command } = contextOf(words)
  const typed = flag.slice(2)
  if (typed === 'profile')
    return profilesOf(console.env)
      .names()
      .map((name) => [name, ''])
  const field = command && fieldOf(command, typed)
  const values = field ? field.values : flagIn(own === null ? LEADING : (OWN[own]?.flags ?? []), typed)?.values
  return (values ?? []).map((value) => [value, ''])
}
