// The program in the tests: in this process with a console of its own, as a child with pipes, and at a terminal.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { until } from '../../../test/harness/until.ts'
import { build } from '../scripts/build.ts'
import type { Console } from '../src/console.ts'
import { run } from '../src/run.ts'

export type Exit = { code: number; out: string; err: string }
export type Environment = Record<string, string | undefined>

const ROOM = mkdtempSync(join(tmpdir(), 'titular-cli-'))
process.once('exit', () => rmSync(ROOM, { recursive: true, force: true }))

let building: Promise<string> | undefined
/** The program as it is packed. */
export const program = (): Promise<string> => (building ??= build(ROOM).then(() => join(ROOM, 'titular.js')))

/** Configuration and state of one person. */
export function home(): { XDG_CONFIG_HOME: string; XDG_STATE_HOME: string } {
  const directory = mkdtempSync(join(tmpdir(), 'titular-home-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return { XDG_CONFIG_HOME: join(directory, 'config'), XDG_STATE_HOME: join(directory, 'state') }
}

export type ConsoleOptions = { env?: Environment; stdin?: string; terminal?: { columns: number }; signal?: AbortSignal }

/** In this process; `terminal` makes the output one. */
export async function inProcess(args: readonly string[], options: ConsoleOptions = {}): Promise<Exit> {
  const { console, parts } = consoleOf(options)
  const code = await run(args, console)
  return { code, ...parts }
}

/** With what was written to it so far. */
export function consoleOf(options: ConsoleOptions = {}) {
  const parts = { out: '', err: '' }
  const output = (name: 'out' | 'err') => {
    const stream = new PassThrough()
    stream.setEncoding('utf8').on('data', (text: string) => void (parts[name] += text))
    return Object.assign(stream, options.terminal ? { isTTY: true, columns: options.terminal.columns } : {})
  }
  const console: Console = {
    in: Readable.from(options.stdin === undefined ? [] : [options.stdin]),
    out: output('out'),
    err: output('err'),
    env: options.env ?? {},
    signal: options.signal ?? new AbortController().signal,
  }
  return { console, parts }
}

export type Child = { child: ChildProcess; out: () => string; err: () => string; ended: Promise<Exit> }

const surroundings = (env: Environment): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], TERM: 'xterm', ...env })

function watch(child: ChildProcess): Child {
  const parts = { out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => void (parts.out += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void (parts.err += text))
  const ended = once(child, 'close').then(([code]) => ({ code: Number(code), ...parts }))
  return { child, out: () => parts.out, err: () => parts.err, ended }
}

export async function start(args: readonly string[], env: Environment = {}): Promise<Child> {
  return watch(spawn(process.execPath, [await program(), ...args], { env: surroundings(env) }))
}

/** A process of its own, with pipes. */
export async function titular(args: readonly string[], env: Environment = {}, stdin = ''): Promise<Exit> {
  const { child, ended } = await start(args, env)
  child.stdin?.end(stdin)
  return ended
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Without what the person of this machine has set up. */
const SHELLS = { bash: '--norc', zsh: '-f', fish: '--no-config' }

/** By a shell, where `titular` is a command. */
export async function shell(script: string, env: Environment = {}, name: keyof typeof SHELLS = 'bash'): Promise<Exit> {
  const path = await program()
  const words = `${quoted(process.execPath)} ${quoted(path)}`
  const definition = name === 'fish' ? `function titular; ${words} $argv; end` : `titular() { ${words} "$@"; }`
  const command = `${definition}\n${script}`
  const child = spawn(name, [SHELLS[name], '-c', command], { env: surroundings(env) })
  child.stdin.end()
  return watch(child).ended
}

/**
 * At a pseudo-terminal of util-linux (`script`), which Debian and its like always have. Each answer is typed when its
 * question is there; the result has all that the screen got.
 */
export async function atTerminal(
  args: readonly string[],
  env: Environment,
  answers: readonly (readonly [question: string, typed: string])[] = [],
  columns = 80,
): Promise<Exit> {
  const words = [process.execPath, await program(), ...args].map(quoted).join(' ')
  const child = spawn('script', ['-qefc', `stty cols ${columns} rows 40; exec ${words}`, '/dev/null'], {
    env: surroundings({ SHELL: '/bin/sh', ...env }),
  })
  const watched = watch(child)
  let seen = 0
  for (const [question, typed] of answers) {
    await until(
      () => watched.out().indexOf(question, seen),
      (at) => at >= 0,
      () => watched.out(),
    )
    seen = watched.out().length
    child.stdin.write(typed)
  }
  return watched.ended
}
