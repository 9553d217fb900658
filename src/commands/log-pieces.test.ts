// The log without a terminal is written in pieces: fewer writes, and no line that matters waits.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import pino from 'pino'
import { expect, it } from 'vitest'
import { until } from '#test/harness/until.ts'
import { inPieces } from './log-pieces.ts'

function logged() {
  const written: string[] = []
  const pieces = inPieces((text) => void written.push(text))
  const messages = () =>
    written.map((piece) =>
      piece
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line).msg),
    )
  return { log: pino({ level: 'debug' }, pieces), pieces, written, messages }
}

it('lines that came together leave together, by themselves', async () => {
  const { log, messages } = logged()
  log.info('one')
  log.debug('two')
  expect(messages()).toEqual([])
  await until(() => messages().length > 0)
  expect(messages()).toEqual([['one', 'two']])
})

it.each(['warn', 'error', 'fatal'] as const)('%s leaves at once, after what came before it', (level) => {
  const { log, messages } = logged()
  log.info('before')
  log[level]('now')
  log.info('after')
  expect(messages()).toEqual([['before', 'now']])
})

it('a piece has at most 4096 bytes unless a single line has more, and breaks no line', () => {
  const { log, pieces, written, messages } = logged()
  const sent = Array.from({ length: 100 }, (_, index) => `${index} ${'ã'.repeat(index * 7)}`)
  for (const message of [...sent, 'y'.repeat(5000), 'last']) log.info(message)
  pieces.flush()
  expect(messages().flat()).toEqual([...sent, 'y'.repeat(5000), 'last'])
  expect(written.length).toBeLessThan(35)
  expect(written.map((piece) => Buffer.byteLength(piece)).filter((length) => length > 4096)).toHaveLength(1)
})

it.each([
  ['ends', ''],
  ['exits', 'process.exit(3)'],
  ['throws', "throw new Error('oh')"],
  ['is stopped by a signal', "process.once('SIGTERM', () => process.exit(0)); process.kill(process.pid)"],
])('nothing is lost when the process %s', async (_how, end) => {
  const code = `
    const { createConsole } = await import('./src/commands/console.ts')
    const { log } = createConsole('info')
    for (let count = 0; count < 1000; count++) log.info({ count }, 'request')
    ${end}`
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
  const { stdout } = await run.catch((error: unknown) => error as { stdout: string })
  const counts = stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line).count)
  expect(counts).toEqual(Array.from({ length: 1000 }, (_, count) => count))
})
