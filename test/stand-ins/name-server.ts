// A name server on the loopback, over UDP and TCP, whose answers a test sets.
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import packet, { type Answer, type Packet } from 'dns-packet'

/** `name type` → the records; a number is a response code (3: no such name); `silent` gives no answer. */
export type Zone = Map<string, Answer[] | number | 'silent'>

export type NameServer = { address: string; zone: Zone; asked: string[]; close(): Promise<void> }

const NO_SUCH_NAME = 3
const LONGEST_UDP = 512

export async function startNameServer(): Promise<NameServer> {
  const zone: Zone = new Map()
  const asked: string[] = []

  function answerTo(message: Packet): Packet | null {
    const [question] = message.questions ?? []
    const key = `${question?.name.toLowerCase() ?? ''} ${question?.type ?? ''}`
    asked.push(key)
    const found = zone.get(key) ?? NO_SUCH_NAME
    if (found === 'silent') return null
    const answers = typeof found === 'number' ? [] : found
    const code = typeof found === 'number' ? found : 0
    const flags = packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | code
    return { type: 'response', id: message.id ?? 0, flags, questions: message.questions ?? [], answers }
  }

  const stream = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (data) => {
      const answer = answerTo(packet.streamDecode(data))
      if (answer) socket.end(packet.streamEncode(answer))
    })
  })
  await new Promise<void>((resolve) => stream.listen(0, '127.0.0.1', resolve))
  const address = stream.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const datagrams = createSocket('udp4')
  datagrams.on('message', (data, { address: host, port: from }) => {
    const answer = answerTo(packet.decode(data))
    if (!answer) return
    const whole = packet.encode(answer)
    // What does not fit is asked for again over TCP.
    const short = { ...answer, flags: (answer.flags ?? 0) | packet.TRUNCATED_RESPONSE, answers: [] }
    datagrams.send(whole.length > LONGEST_UDP ? packet.encode(short) : whole, from, host)
  })
  await new Promise<void>((resolve) => datagrams.bind(port, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${port}`,
    zone,
    asked,
    close: async () => {
      await Promise.all([
        new Promise<void>((resolve) => datagrams.close(() => resolve())),
        new Promise<void>((resolve) => stream.close(() => resolve())),
      ])
    },
  }
}

export const txt = (name: string, ...values: (string | string[])[]): [string, Answer[]] => [
  `${name} TXT`,
  values.map((data) => ({ type: 'TXT', name, ttl: 0, data })),
]
export const addressRecord = (name: string, ...addresses: string[]): [string, Answer[]][] =>
  (['A', 'AAAA'] as const).map((type) => [
    `${name} ${type}`,
    addresses
      .filter((address) => address.includes(':') === (type === 'AAAA'))
      .map((data) => ({ type, name, ttl: 0, data })),
  ])
