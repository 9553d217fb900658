// Runs the blocks of docs/billing.md unchanged in one shell, beside a service that was started as the README says, and
// compares each answer with the one on the page, to the cent.
import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { processOf, type Running } from '#test/harness/process.ts'

const hasTools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0)
const END = '<end of block>\n'

/** What is sent, and the answer that the page shows; '' for none. */
function blocksOf(page: string): { sent: string; shown: string }[] {
  const found = page.matchAll(/```sh\n([^]*?)```\n(?:\n```text\n([^]*?)```\n)?/g)
  return Array.from(found, ([, sent = '', shown = '']) => ({ sent, shown }))
}

describe.skipIf(!hasTools)('docs/billing.md', () => {
  let service: Running
  beforeAll(async () => {
    service = await processOf({ DEMO: '1' })
    await service.start()
  })
  afterAll(() => service.remove())

  it('three years of a customer have the amounts, ends and states that the page shows', async () => {
    const blocks = blocksOf(await readFile(join(import.meta.dirname, '../../docs/billing.md'), 'utf8'))
    const script = blocks.map(({ sent }) => `${sent}printf '${END.trim()}\\n'\n`).join('')
    const env = { ...process.env, API: `${service.url}/api/v1` }
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], { env, cwd: service.dataDir })
    expect(stderr).toBe('')
    expect(stdout.split(END).slice(0, -1)).toEqual(blocks.map(({ shown }) => shown))
  })
})
