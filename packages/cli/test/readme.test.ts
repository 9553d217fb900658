// The examples of the README run in their order beside the demo, and what it says of exit codes is so.
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { processOf, type Running } from '../../../test/harness/process.ts'
import { EXIT } from '../src/failures.ts'
import { shell } from './program.ts'

const SERVICE = 'http://127.0.0.1:3000'

let service: Running
let folder: string
let page: string
beforeAll(async () => {
  service = await processOf({ DEMO: '1', SANDBOX: '1' })
  await service.start()
  folder = await mkdtemp(join(tmpdir(), 'titular-readme-'))
  page = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await service.remove()
})

it('has examples that do what it says', async () => {
  const blocks = [...page.matchAll(/```console\n([^]*?)```/g)].map(([, block = '']) => block)
  const lines = blocks.flatMap((block) => [...block.matchAll(/^\$ (.+)$/gm)].map(([, line = '']) => line))
  const env = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_STATE_HOME: join(folder, 'state') }
  const said: string[] = []
  for (const line of lines) {
    const { code, out, err } = await shell(`cd ${folder}\n${line.replaceAll(SERVICE, service.url)}`, env)
    expect([line, code, err]).toEqual([line, 0, expect.any(String)])
    said.push(out + err)
  }
  const expected = [
    /^Signed in at .* as ana@padaria.example; profile "default"/,
    /"email": "ana@padaria.example",\n +"organization.name": "Padaria São João"/,
    /"name": "default"/,
    /"status": "(sent|viewed)"/,
    /^id,number,total\r\n\d+,Q-/,
    /^\{"license_key":"[-\w]+"\}\n/,
    /"number": "SR-\d+"/,
    /"number": "Q-1"[^]*etag /,
    /"title": "By JSON"/,
    /^Saved invoice.pdf/,
    /"name": "invoice.pdf"/,
  ]
  expect(said).toEqual(expected.map((pattern) => expect.stringMatching(pattern)))
  expect((await stat(join(folder, 'invoice.pdf'))).size).toBeGreaterThan(1000)
})

it('names all exit codes', () => {
  const named = [...page.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code))
  expect(named).toEqual(Object.values(EXIT).toSorted((one, other) => one - other))
})
