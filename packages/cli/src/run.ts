// From the words of the command line to what does them. Each is loaded when it is named.
import { argumentsOf } from './arguments.ts'
import { assertArea, index } from './catalogue.ts'
import { say, write, type Console } from './console.ts'
import { EXIT, exitOf, wordsOf } from './failures.ts'
import { isOn, lastOf, LEADING, readWith, type FlagValues } from './flags.ts'
import { help } from './help.ts'
import { OWN } from './own-commands.ts'

/** The exit code. */
export async function run(args: readonly string[], console: Console): Promise<number> {
  try {
    await dispatch(args, console)
    return EXIT.done
  } catch (error) {
    // The reader has gone, as `head` does: that is not the program's failure.
    if (isClosedPipe(error)) return EXIT.done
    if (console.signal.aborted) return EXIT.interrupted
    const words = wordsOf(error)
    if (words !== '') await say(console, words)
    return exitOf(error)
  }
}

const isClosedPipe = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EPIPE'

async function dispatch(args: readonly string[], console: Console): Promise<void> {
  if (args[0] === '__complete') {
    const { candidates } = await import('./complete.ts')
    return write(console.out, candidates(console, args.slice(1)))
  }
  const at = placeOfArea(args)
  const leading = readWith(args.slice(0, at), LEADING, '')
  const [area, ...rest] = args.slice(at)
  if (isOn(leading, 'version')) return write(console.out, `${index().version}\n`)
  if (area === undefined || isOn(leading, 'help'))
    return write(console.out, help(console, area === undefined ? [] : [area]))
  if (Object.hasOwn(OWN, area)) return runOwn(area, rest, leading, console)
  assertArea(area, [...Object.keys(index().areas), ...Object.keys(OWN)])
  const [verb, ...others] = rest
  if (verb === undefined || verb === '--help' || verb === '-h') return write(console.out, help(console, [area]))
  return runOperation(area, verb, others, leading, console)
}

/** Where the flags before the area end. */
function placeOfArea(args: readonly string[]): number {
  let at = 0
  while (at < args.length && args[at]?.startsWith('-')) {
    const [name = ''] = (args[at] ?? '').replace(/^--?/, '').split('=', 1)
    const takesNext = !args[at]?.includes('=') && LEADING.some((one) => one.name === name && one.hasValue)
    at += takesNext ? 2 : 1
  }
  return Math.min(at, args.length)
}

/** What stands behind the command counts before what stands in front of it. */
const together = (leading: FlagValues, own: FlagValues): FlagValues => ({
  ...own,
  flags: new Map([...leading.flags, ...own.flags]),
})

const isHelp = (given: FlagValues): boolean => isOn(given, 'help')

async function runOperation(
  area: string,
  verb: string,
  args: readonly string[],
  leading: FlagValues,
  console: Console,
) {
  const { textOf } = await import('./prompt.ts')
  const read = () => textOf(console.in)
  const given = await argumentsOf(area, verb, args, read, isHelp, lastOf(leading, 'data'))
  if (isHelp(given.own)) return write(console.out, help(console, [area, verb]))
  const own = together(leading, given.own)
  const { clientOf } = await import('./client.ts')
  const { perform } = await import('./perform.ts')
  return perform(console, clientOf(console, own, index().version), { ...given, own })
}

async function runOwn(name: string, args: readonly string[], leading: FlagValues, console: Console): Promise<void> {
  const command = OWN[name]
  const given = together(leading, readWith(args, command?.flags ?? [], name))
  if (name === 'help') return write(console.out, help(console, given.words))
  if (isHelp(given)) return write(console.out, help(console, [name]))
  const { version } = index()
  if (name === 'completion') {
    const { completionOf } = await import('./complete.ts')
    return write(console.out, completionOf(given.words[0]))
  }
  if (name === 'login') {
    const { login } = await import('./login.ts')
    return login(console, given, version)
  }
  if (name === 'listen') {
    const [{ clientOf }, { listen }] = await Promise.all([import('./client.ts'), import('./listen.ts')])
    return listen(console, clientOf(console, given, version), given)
  }
  const { profileCommand, signOut, whoami } = await import('./profile-commands.ts')
  if (name === 'profile') return profileCommand(console, given)
  return name === 'logout' ? signOut(console, given, version) : whoami(console, given, version)
}
