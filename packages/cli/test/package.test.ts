// What a start of the program reads, and that it needs no other package.
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { program } from './program.ts'

/** `--help` and completion have to be there at once. */
const LARGEST_START = 100_000

it('starts with a few files, without the client, and with nothing but what it has', async () => {
  const path = await program()
  const files = new Map<string, string>()
  const outside = new Set<string>()
  const visit = (file: string): void => {
    if (files.has(file)) return
    const text = readFileSync(join(path, '..', file), 'utf8')
    files.set(file, text)
    for (const [, name = ''] of text.matchAll(/^import\s(?:[^'"]*\sfrom\s)?["']([^"']+)["']/gm))
      if (name.startsWith('./')) visit(name.slice(2))
      else outside.add(name)
  }
  visit('titular.js')
  const texts = [...files.values()]
  expect(texts.length).toBeGreaterThan(2)
  expect(texts.reduce((sum, text) => sum + text.length, 0)).toBeLessThan(LARGEST_START)
  // The client waits for answers; nobody needs it for help.
  expect(texts.filter((text) => text.includes('retry-after'))).toEqual([])
  expect([...outside].filter((name) => !isBuiltin(name))).toEqual([])
  expect(files.get('titular.js')).toMatch(/^#!\/usr\/bin\/env node\n/)
  expect(readFileSync(join(path, '../LICENSES.txt'), 'utf8')).toContain('string-width')
})
