// The examples of the README compile in strict mode, and run in their order beside the demo.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { standardHeaders, standardSecret } from '../../../src/ports/standard-webhooks.ts'
import { blocksIn, programsFor, type Programs, readPage } from '../../../test/harness/page-code.ts'
import { processOf, type Running } from '../../../test/harness/process.ts'

const LICENSE_KEY = /^([2-9A-HJKMNP-Z]{5}-){4}[2-9A-HJKMNP-Z]{5}$/

const isReceiver = (block: string) => block.includes('receive')

let service: Running
let programs: Programs
let blocks: string[]
beforeAll(async () => {
  service = await processOf({ DEMO: '1', SANDBOX: '1' })
  await service.start()
  programs = await programsFor(service.url)
  const page = blocksIn(await readPage('packages/sdk/README.md'))
  blocks = page.filter(({ language }) => language === 'ts').map(({ text }) => text)
  await programs.write(
    'program',
    blocks.filter((block) => !isReceiver(block)),
  )
  await programs.write('webhook', blocks.filter(isReceiver))
})
afterAll(async () => {
  await programs.remove()
  await service.remove()
})

describe('the README', () => {
  it('has examples that compile', async () => {
    expect(blocks.length).toBeGreaterThan(7)
    expect(await programs.compile()).toBe('compiles')
  })
  it('has a program that does what it says', async () => {
    const { stdout, stderr } = await programs.run('program', programs.directory)
    expect(stderr).toBe('')
    const lines = stdout.trim().split('\n')
    expect(lines).toEqual([
      expect.stringMatching(/^Q-[\dv-]+: \d+\.\d\d BRL$/),
      'signed in',
      expect.stringMatching(/^\d+ invoices$/),
      'signed out',
      expect.stringMatching(LICENSE_KEY),
      expect.stringMatching(LICENSE_KEY),
      '2',
      'accepted',
      expect.stringMatching(/Q-\d+.*\.pdf$/),
      'plan.txt',
      expect.stringMatching(/^quote.accepted Q-\d+/),
      'Backup Pro',
      'domain',
    ])
  })
  it('has a receiver that takes what is signed, once, and refuses the rest', async () => {
    const secret = standardSecret(randomBytes(24))
    process.env['WEBHOOK_SECRET'] = secret
    const { receive } = (await import(join(programs.directory, 'webhook.ts'))) as {
      receive: (request: Request) => Promise<Response>
    }
    const body = JSON.stringify({ type: 'quote.paid', resource_id: 42 })
    const headers = standardHeaders([secret], 'msg_1', body, new Date())
    const ask = (more: object, text = body) =>
      receive(new Request('https://erp.example/hook', { method: 'POST', body: text, headers: { ...headers, ...more } }))
    const said = vi.spyOn(console, 'log').mockImplementation(() => {})
    expect([(await ask({})).status, (await ask({})).status]).toEqual([204, 204])
    expect(said.mock.calls).toEqual([['paid: 42']])
    said.mockRestore()
    expect((await ask({}, `${body} `)).status).toBe(400)
    expect((await ask({ 'webhook-timestamp': '1' })).status).toBe(400)
  })
})
