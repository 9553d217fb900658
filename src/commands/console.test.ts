// The output of a start on a terminal, and as JSON without one.
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readConfig } from '#config/config.ts'
import { until } from '#test/harness/until.ts'
import { createConsole } from './console.ts'

const request = { method: 'GET', path: '/api/v1/quotes', status: 200, ms: 3.2, user_id: 4, organization_id: 2 }
const details = { config: readConfig({}), administrator: null, demo: [] }

/** The lines of a start, without colours. */
async function startOn(isTTY: boolean): Promise<string[]> {
  let text = ''
  const { log, welcome } = createConsole('info', { isTTY, write: (more) => void (text += more) })
  log.info('Migrated the database: 0001-identity.')
  log.info({ ...request, request_id: 'one' }, 'request')
  log.warn({ err: new Error('no answer'), about: 'invoice\u001b[2J 7' }, 'payment sandbox')
  welcome(details)
  log.info({ ...request, path: '/api/v1/orders', status: 404 }, 'request')
  await until(() => text.includes('/api/v1/orders'))
  return stripVTControlCharacters(text).trim().split('\n')
}

describe('a start on a terminal', async () => {
  const lines = await startOn(true)
  it('writes lines for people, each error below its line', () => {
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d Migrated the database: 0001-identity\.$/)
    expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d warn payment sandbox about=invoice *\S* 7$/)
    expect(lines[2]).toBe('  no answer')
    expect(lines.filter((line) => line.startsWith('{'))).toEqual([])
  })
  it('writes no request before the sign-ins, and each one after them', () => {
    const box = lines.findIndex((line) => line.startsWith('Titular is ready'))
    expect(lines.slice(0, box).filter((line) => line.includes('/api/v1/quotes'))).toEqual([])
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d GET \/api\/v1\/quotes 200 3\.2 ms user 4 organization 2$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d GET \/api\/v1\/orders 404 3\.2 ms user 4 organization 2$/),
    ])
  })
  it('removes control characters from logged text', () => {
    let text = ''
    const { log } = createConsole('info', { isTTY: true, write: (more) => void (text += more) })
    log.warn({ path: '/a\u001b[2J\u0007\u202eb' }, 'odd\u001b[1A')
    expect(stripVTControlCharacters(text)).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
    expect(text).not.toContain('\u001b[2J')
  })
})

describe('a start without a terminal', () => {
  it('writes one JSON object per line, in the order of the events', async () => {
    const lines = await startOn(false)
    const objects = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as { msg: string })
    expect(objects.map(({ msg }) => msg)).toEqual([
      'Migrated the database: 0001-identity.',
      'request',
      'payment sandbox',
      'request',
    ])
    expect(objects[1]).toMatchObject({ ...request, level: 30, request_id: 'one' })
    expect(lines.findIndex((line) => line.startsWith('Titular is ready'))).toBeGreaterThan(1)
  })
})

describe('progress', () => {
  it('is one line of a terminal that changes, below the lines of the log, and has no control characters', () => {
    let text = ''
    const { log, progress } = createConsole('info', { isTTY: true, columns: 30, write: (more) => void (text += more) })
    progress('90 records to send')
    log.info('a job failed')
    progress('80 records to send; the last failure: \u001b[2J\n<html>')
    progress('Done', true)
    log.info('stopped')
    // What stays of each row after the last time that it was cleared.
    const rows = text.split('\n').map((row) => stripVTControlCharacters(row.split('\r\u001b[2K').at(-1) ?? ''))
    expect(rows).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d a job failed$/),
      'Done',
      expect.stringMatching(/ stopped$/),
      '',
    ])
    expect(text).toContain('a job failed\n90 records to send\r')
    expect(text).toContain('\r\u001b[2K80 records to send; the last \r')
    expect(text).not.toContain('\u001b[2J')
  })
  it('is lines of the log elsewhere', async () => {
    let text = ''
    const { progress } = createConsole('info', { write: (more) => void (text += more) })
    progress('90 records to send')
    progress('Done', true)
    await until(() => text.includes('Done'))
    const lines = text.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['90 records to send', 'Done'])
  })
})
