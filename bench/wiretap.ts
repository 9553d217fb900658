// A proxy between the service and PostgreSQL that counts what the service waits for: how often it sends something and then needs
// the answer before it goes on.
import { once } from 'node:events'
import { type Socket, connect, createServer } from 'node:net'

/** `waits` are what the service waited for; `groups` the messages that end a group (Sync, simple Query), of which several may travel at once. */
export type Counts = { waits: number; groups: number }
export type Wiretap = { url: string; counts(): Counts; close(): void }

const ENDS_OF_GROUPS = new Set(['S', 'Q'])
const READY = 'Z'
const LENGTH_BYTES = 4

export async function tap(databaseUrl: string): Promise<Wiretap> {
  const { port, hostname } = new URL(databaseUrl)
  const counts: Counts = { waits: 0, groups: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    /** Groups of this connection whose answer has not come. */
    let unanswered = 0
    const sent = messageTypes(false)
    const received = messageTypes(true)
    client.on('data', (bytes: Buffer) => {
      for (const type of sent(bytes)) {
        if (!ENDS_OF_GROUPS.has(type)) continue
        if (unanswered++ === 0) counts.waits++
        counts.groups++
      }
      upstream.write(bytes)
    })
    upstream.on('data', (bytes: Buffer) => {
      for (const type of received(bytes)) if (type === READY && unanswered > 0) unanswered--
      client.write(bytes)
    })
    for (const socket of [client, upstream]) {
      sockets.add(socket.setNoDelay(true))
      socket.on('error', () => {}).on('close', () => [client, upstream].forEach((one) => one.destroy()))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = new URL(databaseUrl)
  url.port = String(typeof address === 'object' ? address?.port : '')
  return {
    url: url.href,
    counts: () => ({ ...counts }),
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** The types of the messages that these bytes complete. The first message of a client has no type. */
function messageTypes(hasStarted: boolean): (bytes: Buffer) => string[] {
  let waiting = Buffer.alloc(0)
  let typeBytes = hasStarted ? 1 : 0
  return (bytes) => {
    waiting = Buffer.concat([waiting, bytes])
    const types: string[] = []
    for (;;) {
      if (waiting.length < typeBytes + LENGTH_BYTES) return types
      const size = typeBytes + waiting.readUInt32BE(typeBytes)
      if (waiting.length < size) return types
      types.push(typeBytes === 0 ? '' : String.fromCharCode(waiting[0] ?? 0))
      typeBytes = 1
      waiting = waiting.subarray(size)
    }
  }
}
