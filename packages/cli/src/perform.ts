// Calls the operation of a command and writes its answer.
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isFileOperation, type CallOptions, type FileDownload } from '@titular/sdk'
import type { Arguments } from './arguments.ts'
import type { Client } from './client.ts'
import { isFeed, isList } from './command.ts'
import { say, visible, write, type Console } from './console.ts'
import { watch } from './feed.ts'
import { isOn, lastOf, type FlagValues } from './flags.ts'
import { printerOf } from './output/printer.ts'
import { isRecord } from './output/records.ts'
import { UsageError } from './usage-error.ts'

export async function perform(console: Console, client: Client, given: Arguments): Promise<void> {
  const { command, parameters, own: flags } = given
  const { operation } = command
  const options = optionsOf(console, flags)
  const title = `${command.area} ${command.verb}`
  if (isOn(flags, 'watch') || isOn(flags, 'resume')) {
    if (!isFeed(command)) throw new UsageError(`${title} cannot be watched`, title)
    return watch(console, client, { operation, parameters, flags })
  }
  const format = parameters['format']
  if (isFileOperation(operation) && (operation.answer === 'file' || (typeof format === 'string' && format !== 'json')))
    return save(console, await client.titular.download(operation, parameters, options), lastOf(flags, 'output'))
  const printer = printerOf(console, flags)
  if (isList(command) && isOn(flags, 'all')) {
    const pages = client.titular.pages(operation, { per_page: 100, ...parameters }, options)
    for await (const { items } of pages.byPage()) await printer.records(items)
    return printer.end()
  }
  const answer = await client.titular.answer(operation, parameters, options)
  const { data, meta, message } = answer
  await printer.value(isFeed(command) && printer.format !== 'json' ? eventsOf(data) : data)
  if (message) await printer.note(message)
  if (isOn(flags, 'verbose'))
    await say(
      console,
      `status ${answer.status}\netag ${answer.etag}\nrequest ${answer.requestId}\nreplayed ${answer.isReplayed}`,
    )
  const shown = Array.isArray(data) ? data.length : 0
  const total = meta?.total ?? shown
  if (shown < total) await printer.note(`${shown} of ${total}; --all for all`)
}

function optionsOf({ signal }: Console, flags: FlagValues): CallOptions {
  return {
    signal,
    reason: lastOf(flags, 'reason'),
    ifMatch: lastOf(flags, 'if-match'),
    idempotencyKey: lastOf(flags, 'idempotency-key'),
  }
}

const eventsOf = (data: unknown): unknown => (isRecord(data) && Array.isArray(data['events']) ? data['events'] : data)

/** Whoever uploaded it chose the name: none that a shell or another program reads by itself, such as `.zshenv`. */
export const savedAs = (fileName: string | null): string => basename(fileName ?? '').replace(/^[.\s]+/, '') || 'file'

/** On a terminal a file gets the name that the service gives it; in a pipe its bytes go through. */
async function save(console: Console, file: FileDownload, output: string | undefined): Promise<void> {
  if (output === '-' || (output === undefined && console.out.isTTY !== true)) {
    for await (const part of file.stream) await write(console.out, part)
    return
  }
  const path = output ?? savedAs(file.fileName)
  const beside = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}`)
  try {
    await pipeline(file.stream, createWriteStream(beside, { flags: 'wx' }))
    // A name that the person did not choose replaces nothing.
    await (output === undefined ? link(beside, path) : rename(beside, path))
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw isThere ? new UsageError(`${visible(path)} is there already; --output says where to save`) : error
  } finally {
    await rm(beside, { force: true })
  }
  await say(console, `Saved ${path}`)
}
