// A proxy between the service and PostgreSQL that a test can stop: connections stay open, but nothing arrives.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Link = {
  url: string
  /** From now on bytes are dropped, on existing connections and on new ones. */
  stop(): void
  /** New connections work again; the older ones stay dead. */
  mend(): void
  /** How many connections from before the stop the service still holds. */
  deadEnds(): number
  close(): Promise<void>
}

type Pair = { client: Socket; server: Socket; isDead: boolean }

export async function openLink(databaseUrl: string): Promise<Link> {
  const { port, hostname } = new URL(databaseUrl)
  const pairs = new Set<Pair>()
  let isStopped = false
  const listener = createServer((client) => {
    const pair: Pair = { client, server: connect(Number(port), hostname), isDead: isStopped }
    pairs.add(pair)
    const { server } = pair
    client.on('data', (bytes: Buffer) => pair.isDead || server.write(bytes))
    server.on('data', (bytes: Buffer) => pair.isDead || client.write(bytes))
    for (const socket of [client, server]) socket.setNoDelay(true).on('error', () => {})
    client.on('close', () => {
      pairs.delete(pair)
      server.destroy()
    })
    server.on('close', () => pair.isDead || client.destroy())
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((listener.address() as AddressInfo).port)
  return {
    url: url.href,
    stop() {
      isStopped = true
      for (const pair of pairs) pair.isDead = true
    },
    mend: () => void (isStopped = false),
    deadEnds: () => [...pairs].filter(({ isDead }) => isDead).length,
    async close() {
      for (const { client } of pairs) client.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}
