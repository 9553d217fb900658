// Events as they happen: on the terminal, or handed on. The place is kept, so that the next time goes on from there.
import { listEvents, type AnyOperation, type FeedOperation } from '@titular/sdk'
import type { Client } from './client.ts'
import { say, type Console } from './console.ts'
import { isOn, lastOf, type FlagValues } from './flags.ts'
import { printerOf } from './output/printer.ts'
import { isRecord, type Json } from './output/records.ts'
import { cursorsOf } from './profiles.ts'

type FeedRequest = { operation: AnyOperation; parameters: Record<string, unknown>; flags: FlagValues }

export async function watch(
  console: Console,
  client: Client,
  { operation, parameters, flags }: FeedRequest,
): Promise<void> {
  const printer = printerOf(console, withFormat(console, flags))
  await follow(console, client, { operation, parameters, flags }, (event) => printer.records([event]))
  await printer.end()
}

/** A list that does not end cannot be one JSON array: a line for each event. */
function withFormat(console: Console, flags: FlagValues): FlagValues {
  const format = lastOf(flags, 'format') ?? console.env['TITULAR_FORMAT'] ?? (console.out.isTTY ? 'table' : 'json')
  return format === 'json' ? { ...flags, flags: new Map([...flags.flags, ['format', ['ndjson']]]) } : flags
}

/** Hands each event on, one after another, until Ctrl-C. */
export async function follow(
  console: Console,
  { titular, scope }: Client,
  { operation, parameters: given, flags }: FeedRequest,
  take: (event: Json) => Promise<void>,
): Promise<void> {
  const { signal } = console
  const { type, ...rest } = given
  const patterns = typeof type === 'string' ? type.split(',') : []
  const hasPattern = patterns.some((one) => one.includes('*'))
  const parameters = hasPattern || type === undefined ? rest : given
  const cursors = cursorsOf(console.env)
  const key = [scope.profile, scope.url, scope.organization ?? '', operation.id, patterns].join(' ')
  const kept = isOn(flags, 'resume') ? cursors.read(key) : undefined
  const after = kept ?? given['after'] ?? 'latest'
  const feed = titular.follow(
    asFeed(operation),
    { ...parameters, after },
    {
      signal,
      onLoss: (error, pauseMs) => void say(console, `${error.message}; again in ${Math.ceil(pauseMs / 1000)} s`),
    },
  )
  for await (const event of feed) {
    if (!isRecord(event)) continue
    if (isWanted(hasPattern ? patterns : [], event)) await take(event)
    if (isOn(flags, 'resume')) cursors.write(key, placeOf(event))
  }
  if (feed.cursor === undefined) return
  if (isOn(flags, 'resume')) cursors.write(key, feed.cursor)
  else await say(console, `The last event was ${feed.cursor}; --after ${feed.cursor} goes on from there.`)
}

/** The vendor's feed counts over all organizations. */
const placeOf = ({ position, sequence }: Json): number => Number(position ?? sequence)

/** `quote.*` is every event of quotes. */
const isWanted = (patterns: readonly string[], { type }: Json): boolean =>
  patterns.length === 0 || patterns.some((one) => isLike(one, String(type)))

function isLike(pattern: string, type: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[^\w]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.*')}$`).test(type)
}

const asFeed = (operation: AnyOperation): FeedOperation => ({ ...listEvents, ...operation })
