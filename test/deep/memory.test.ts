// Memory after many requests: nothing grows with their number.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { ROOT } from '#test/harness/golden.ts'

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

const app = await appOfFile({ listens: true })
const acme = await app.world.organization()

/** Lists, an unknown record, an invalid input, a refused caller, a path without a route. */
const QUESTIONS = ['/quotes', '/invoices?per_page=5', '/orders/999999', '/quotes?page=x', '/admin/users', '/nothing']

async function ask(times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    const answers = QUESTIONS.map((path) => fetch(`${app.url}/api/v1${path}`, { headers: acme.owner.headers }))
    for (const answer of answers) await (await answer).arrayBuffer()
    // The log that the test itself records.
    app.log.length = 0
  }
}

function heapInUse(): number {
  if (typeof collect !== 'function') throw new Error('the garbage cannot be collected')
  collect()
  return process.memoryUsage().heapUsed
}

it('1,200 requests leave less than two kilobytes each', async () => {
  await ask(100)
  const before = heapInUse()
  await ask(200)
  expect(heapInUse() - before).toBeLessThan(1200 * 2048)
})

/** The limit of `npm start` with these NODE_OPTIONS, in MiB. */
async function heapLimit(options: string): Promise<number> {
  const { scripts }: { scripts: { start: string } } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const question = scripts.start.replace('src/main.ts', `-p 'v8.getHeapStatistics().heap_size_limit'`)
  const environment = { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, NODE_OPTIONS: options }
  const { stdout } = await promisify(execFile)('sh', ['-c', question], { cwd: ROOT, env: environment })
  return Number(stdout) / 1024 ** 2
}

describe('npm start', () => {
  it('limits the heap, so that V8 does not postpone garbage collection', async () => {
    // 256 MB, and three times the 16 MB for young objects.
    expect(await heapLimit('')).toBeLessThan(320)
  })
  it('takes another limit from NODE_OPTIONS', async () => {
    expect(await heapLimit('--max-old-space-size=1000')).toBeGreaterThanOrEqual(1000)
  })
})
