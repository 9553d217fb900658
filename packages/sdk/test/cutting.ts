// A network between client and service that loses what a test says: the answer, or the whole connection.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Cutting = {
  url: string
  /** The next answers are lost: the service has done what was asked for, and the client does not know. */
  loseAnswers: (count: number) => void
  /** Connections that are open end, and new ones are refused until `mend`. */
  stop: () => void
  mend: () => void
  close: () => Promise<void>
}

export async function cutting(url: string): Promise<Cutting> {
  const { port, hostname } = new URL(url)
  const clients = new Set<Socket>()
  let toLose = 0
  let isStopped = false
  const listener = createServer((client) => {
    if (isStopped) return void client.destroy()
    clients.add(client)
    const server = connect(Number(port), hostname)
    client.on('data', (bytes: Buffer) => server.write(bytes))
    server.on('data', (bytes: Buffer) => {
      if (toLose === 0) client.write(bytes)
      else {
        toLose--
        client.destroy()
      }
    })
    for (const socket of [client, server]) socket.setNoDelay(true).on('error', () => {})
    client.on('close', () => {
      clients.delete(client)
      server.destroy()
    })
    server.on('close', () => client.destroy())
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    loseAnswers: (count) => void (toLose = count),
    stop() {
      isStopped = true
      for (const client of clients) client.destroy()
    },
    mend: () => void (isStopped = false),
    async close() {
      for (const client of clients) client.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}
