// A server on a free port of the loopback, for stand-ins.
import { createServer, type RequestListener } from 'node:http'

/** Whoever connects closes first: on a busy machine, both at once would lose the request that comes then. */
const IDLE_MS = 600_000

export type Listening = { url: string; close: () => Promise<void> }

export async function listen(
  listener: RequestListener | ((...args: Parameters<RequestListener>) => Promise<void>),
): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: IDLE_MS }, (incoming, outgoing) => void listener(incoming, outgoing))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
