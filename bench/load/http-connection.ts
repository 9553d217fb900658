// One kept-alive connection that sends prepared bytes and reads answers into one buffer, so that the process that makes the
// load allocates next to nothing for each request: no collection of garbage stalls it while it measures.
import { once } from 'node:events'
import { connect } from 'node:net'

export type HttpConnection = { send(request: Buffer): void; close(): void }
/** `answered` is called when the whole answer is there. */
type Listener = { answered: (status: number) => void; failed: (error: Error) => void }

const HEAD_BYTES = 16_384
const BUFFER_BYTES = 65_536
const HEAD_END = Buffer.from('\r\n\r\n')
/** As Fastify and as `node:http` write it. */
const LENGTHS = [Buffer.from('\r\ncontent-length: '), Buffer.from('\r\nContent-Length: ')]
const STATUS_AT = 'HTTP/1.1 '.length
const DIGIT_0 = 48

export async function openConnection(url: string, { answered, failed }: Listener): Promise<HttpConnection> {
  const { hostname, port } = new URL(url)
  const head = Buffer.alloc(HEAD_BYTES)
  /** Of the answer that is being read; its head may come in pieces. */
  let headBytes = 0
  let bodyBytes: number | null = null
  let isClosed = false
  function read(size: number, bytes: Uint8Array): boolean {
    const left = bodyBytes ?? leftAfterHead(bytes.subarray(0, size))
    if (left === null) return true
    bodyBytes = left - size
    if (bodyBytes > 0) return true
    headBytes = 0
    bodyBytes = null
    answered(digitsAt(head, STATUS_AT))
    return true
  }
  /** How much of the answer is left from the beginning of these bytes on; null while its head is incomplete. */
  function leftAfterHead(bytes: Uint8Array): number | null {
    const before = headBytes
    head.set(bytes.subarray(0, HEAD_BYTES - before), before)
    headBytes = Math.min(HEAD_BYTES, before + bytes.length)
    const end = head.subarray(0, headBytes).indexOf(HEAD_END)
    return end < 0 ? null : end + HEAD_END.length - before + lengthIn(head.subarray(0, end))
  }
  const onread = { buffer: Buffer.alloc(BUFFER_BYTES), callback: read }
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread })
  await once(socket, 'connect')
  socket.on('error', failed).on('close', () => isClosed || failed(new Error('the server closed a connection')))
  return {
    send: (request) => void socket.write(request),
    close() {
      isClosed = true
      socket.destroy()
    },
  }
}

function lengthIn(head: Buffer): number {
  for (const name of LENGTHS) {
    const at = head.indexOf(name)
    if (at >= 0) return digitsAt(head, at + name.length)
  }
  throw new Error(`an answer without content-length: ${head.toString('latin1')}`)
}

function digitsAt(bytes: Buffer, from: number): number {
  let value = 0
  for (let at = from; ; at++) {
    const digit = (bytes[at] ?? 0) - DIGIT_0
    if (digit < 0 || digit > 9) return value
    value = value * 10 + digit
  }
}
