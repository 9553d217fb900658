// The load by wrk, where it is installed: in C, it takes less of the machine than a process of Node, and never stalls.
import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Question } from '../questions.ts'
import type { Load, Round } from './loader.ts'
import { bytesOf } from './request-bytes.ts'

const run = promisify(execFile)

export async function findWrk(): Promise<string | null> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, 'wrk')
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file
  }
  return null
}

/** As fast as the server answers. Whole seconds only. */
export async function wrkRound(wrk: string, all: readonly Question[], load: Load): Promise<Round> {
  const folder = await mkdtemp(join(tmpdir(), 'titular-wrk-'))
  try {
    const script = join(folder, 'requests.lua')
    await writeFile(script, scriptOf(all))
    const seconds = Math.max(1, Math.round(load.seconds))
    const size = ['-t', '1', '-c', String(load.connections), '-d', `${seconds}s`, '--timeout', '10s']
    const { stdout } = await run(wrk, [...size, '-s', script, load.url])
    return roundOf(stdout)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The escapes of a JSON string without characters beyond ASCII are those of Lua, too. */
const scriptOf = (all: readonly Question[]): string => `local requests = {
${all.map((question) => JSON.stringify(bytesOf(question).toString('latin1'))).join(',\n')}
}
local asked = 0
function request()
  asked = asked % #requests + 1
  return requests[asked]
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('\\n{"answers":%d,"micros":%d,"p50":%d,"p99":%d,"errors":%d}\\n', summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end
`

function roundOf(output: string): Round {
  const line = output.split('\n').findLast((one) => one.startsWith('{'))
  if (line === undefined) throw new Error(`wrk said: ${output}`)
  const told: { answers: number; micros: number; p50: number; p99: number; errors: number } = JSON.parse(line)
  const { answers, micros, errors } = told
  if (errors > 0 || answers === 0) throw new Error(`${errors} errors and refusals among ${answers} answers`)
  return { rate: answers / (micros / 1e6), answers, p50: told.p50 / 1000, p99: told.p99 / 1000, pauseMs: null }
}
