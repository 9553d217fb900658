// A raw keep-alive connection, for requests that a client library would not send, or not so slowly.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type Connection = {
  socket: Socket
  send: (text: string) => void
  /** The next complete answer. */
  answer: () => Promise<Answer>
}
export type Answer = { status: number; head: string; body: string }

export async function connectionTo(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let received = ''
  let failure: Error | undefined
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
  socket.on('error', (error) => (failure = error))
  return {
    socket,
    send: (text) => void socket.write(text),
    async answer() {
      for (;;) {
        const whole = wholeAnswer(received)
        if (whole) {
          received = received.slice(whole.length)
          return whole.answer
        }
        if (failure) throw failure
        if (socket.closed || socket.readableEnded) throw new Error(`closed after ${JSON.stringify(received)}`)
        await Promise.race([once(socket, 'data'), once(socket, 'close'), once(socket, 'end')])
      }
    },
  }
}

function wholeAnswer(text: string): { answer: Answer; length: number } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = text.slice(0, end)
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
  const body = text.slice(end + 4, end + 4 + length)
  if (body.length < length) return undefined
  return { answer: { status: Number(head.split(' ')[1]), head, body }, length: end + 4 + length }
}

/** False when no server listens on the port. */
export async function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const probe = connect(Number(port), hostname)
  try {
    await once(probe, 'connect')
    return true
  } catch {
    return false
  } finally {
    probe.destroy()
  }
}
