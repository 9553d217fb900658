// The commands, read from the files that the build made: the index always, an area when it is named.
import { readFileSync } from 'node:fs'
import type { Command, Index } from './command.ts'
import { nearest } from './nearest.ts'
import { UsageError } from './usage-error.ts'

const read = (name: string): string => readFileSync(new URL(`./generated/${name}.json`, import.meta.url), 'utf8')

export function index(): Index {
  const found: Index = JSON.parse(read('index'))
  return found
}

export function commandsIn(area: string): Command[] {
  const found: Command[] = JSON.parse(read(area))
  return found
}

export function commandOf(area: string, verb: string): Command {
  const { areas } = index()
  assertArea(area, Object.keys(areas))
  const commands = commandsIn(area)
  const found = commands.find((one) => one.verb === verb)
  if (found) return found
  throw new UsageError(
    `${area} has no command "${verb}"${maybe(
      verb,
      commands.map((one) => one.verb),
    )}`,
    area,
  )
}

export function assertArea(area: string, areas: readonly string[]): void {
  if (!areas.includes(area)) throw new UsageError(`There is no command "${area}"${maybe(area, areas)}`)
}

export function maybe(typed: string, known: readonly string[]): string {
  const found = nearest(typed, known)
  return found.length === 0 ? '' : `; did you mean ${found.map((one) => `"${one}"`).join(' or ')}?`
}
