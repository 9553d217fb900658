// The output of a start on a terminal, and as JSON without one.
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readConfig } from '#config/config.ts'
import { createConsole } from './console.ts'

const request = { method: 'GET', path: '/api/v1/quotes', status: 200, ms: 3.2, user_id: 4, organization_id: 2 }
const details = { config: readConfig({}), administrator: null, demo: [] }

/** The lines of a start, without colours. */
function startOn(isTTY: boolean): string[] {
  let text = ''
  const { log, welcome } = createConsole('info', { isTTY, write: (more) => void (text += more) })
  log.info('Migrated the database: 0001-identity.')
  log.info({ ...request, request_id: 'one' }, 'request')
  log.warn({ err: new Error('no answer'), about: 'invoice\u001b[2J 7' }, 'payment sandbox')
  welcome(details)
  log.info({ ...request, path: '/api/v1/orders', status: 404 }, 'request')
  return stripVTControlCharacters(text).trim().split('\n')
}

describe('a start on a terminal', () => {
  const lines = startOn(true)
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
  it('writes one JSON object per line, in the order of the events', () => {
    const lines = startOn(false)
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
