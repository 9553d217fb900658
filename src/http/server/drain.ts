// Closes the server's connections: requests in flight are answered, with `Connection: close`, and idle connections are
// closed. Node alone would wait for each connection that becomes idle after the closing has begun.
import { Server, Socket } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Requests that are still in flight after this time are cut off. */
export const DRAIN_MS = 10_000
/** Time for a connection that was accepted just before the closing to send its request. */
const GRACE_MS = 500
const POLL_MS = 20
const MAX_ITERATIONS = 100
const SHORT_MS = 1

/** `isReady` turns false before the closing, for load balancers; from then on answers have `Connection: close`. */
export function drainOnClose(app: FastifyInstance, isReady: () => boolean): void {
  /** The requests in flight of every open connection. */
  const connections = new Map<Socket, number>()
  let isClosing = false
  let accepted = 0

  function add(socket: Socket): void {
    accepted++
    connections.set(socket, 0)
    socket.once('close', () => connections.delete(socket))
  }
  function count(socket: Socket, more: number): void {
    const before = connections.get(socket)
    if (before !== undefined) connections.set(socket, before + more)
  }
  app.server.on('connection', add)
  app.addHook('onRequest', ({ raw: { socket } }, _reply, done) => {
    // With HOST=localhost Fastify has a second server for the other address, whose connections cannot be listened to.
    if (socket instanceof Socket && !connections.has(socket)) add(socket)
    count(socket, 1)
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing || !isReady()) reply.header('connection', 'close')
    done()
  })
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    count(raw.socket, -1)
    done()
  })
  app.addHook('preClose', async () => {
    if (app.server.listening) {
      await untilAllAccepted(() => accepted)
      // The `close` of Node's HTTP server would also cut connections whose next request has just arrived.
      Server.prototype.close.call(app.server)
    }
    // Set only now: clients that read `Connection: close` connect again at once, and would reach a port that closes.
    isClosing = true
    const began = Date.now()
    for (let passed = 0; connections.size > 0 && passed < DRAIN_MS; passed = Date.now() - began) {
      if (passed >= GRACE_MS) closeIdle(connections)
      await sleep(POLL_MS)
    }
    if (connections.size > 0) app.log.warn({ connections: connections.size }, 'requests took too long and were cut off')
    for (const socket of connections.keys()) socket.destroy()
  })
}

/**
 * When the port closes, the system resets connections that were not accepted yet. The event loop accepts those that
 * came before an iteration, not those that come while it is busy: so it runs until an iteration was short and accepted
 * none.
 */
async function untilAllAccepted(accepted: () => number): Promise<void> {
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    const before = accepted()
    const began = performance.now()
    await setImmediate()
    if (accepted() === before && performance.now() - began < SHORT_MS) return
  }
}

function closeIdle(connections: ReadonlyMap<Socket, number>): void {
  // After the bytes written so far are sent.
  for (const [socket, inFlight] of connections) if (inFlight === 0 && !socket.writableEnded) socket.destroySoon()
}
