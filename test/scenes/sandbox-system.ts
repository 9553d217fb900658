// A system of the sandbox behind a real HTTP server, which also receives the events that it sends.
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { OpenSystem } from '../../src/adapters/sandbox/system.ts'
import { listen } from '#test/harness/listen.ts'

export type ReceivedEvent = { path: string; headers: IncomingMessage['headers']; body: Buffer }
export type Surroundings = { dataDir: string; publicUrl: string; onError: (error: unknown) => void }

export async function systemOf(open: (at: Surroundings) => Promise<OpenSystem>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-system-'))
  const [received, errors]: [ReceivedEvent[], unknown[]] = [[], []]
  let opened: OpenSystem | null = null
  let eventStatus = 200
  const server = await listen(async (incoming, outgoing) => {
    const { url: path = '', headers, method = '' } = incoming
    const body = await buffer(incoming)
    if (path.startsWith('/api/')) {
      received.push({ path, headers, body })
      outgoing.writeHead(eventStatus).end()
      return
    }
    const answer = await opened?.handle({ method, path, headers, body })
    outgoing.writeHead(answer?.status ?? 503, answer?.headers).end(answer?.body)
  })
  const at = { dataDir, publicUrl: server.url, onError: (error: unknown) => void errors.push(error) }
  opened = await open(at)
  return {
    url: server.url,
    received,
    errors,
    answerEventsWith: (status: number) => void (eventStatus = status),
    async restart() {
      await opened?.stop?.()
      opened = await open(at)
    },
    async close() {
      await opened?.stop?.()
      await server.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
