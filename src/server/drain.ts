// How the server's connections end: requests that have begun are answered, with `Connection: close`, and nothing that is
// idle is waited for. Node alone would wait for each connection that becomes idle after the closing has begun.
import { Server, Socket } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** What is in flight after so long is cut off. */
export const DRAIN_MS = 10_000
/** A connection that was accepted just before the closing may send its request for so long. */
const GRACE_MS = 500
const POLL_MS = 20
const MOST_TURNS = 100
const SHORT_MS = 1

/** `isReady` turns false before the closing, for a delay that balancers are given: answers say `close` from then on. */
export function drainOnClose(app: FastifyInstance, isReady: () => boolean): void {
  /** Every open connection and how many requests of it are in flight. */
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
    // With HOST=localhost there is a second server, for the other address, which nobody can listen to.
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
      await untilNobodyWaits(() => accepted)
      // Node's own `close` of an HTTP server also cuts connections whose next request has only just arrived.
      Server.prototype.close.call(app.server)
    }
    // Not before: whoever is told `close` connects again at once, and would wait at a port that closes.
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
 * The system resets connections that nobody has accepted when the port closes. The event loop accepts them before it gets
 * here, but not those that came while it was busy with something else: so again until a turn was short and brought none.
 */
async function untilNobodyWaits(accepted: () => number): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const before = accepted()
    const began = performance.now()
    await setImmediate()
    if (accepted() === before && performance.now() - began < SHORT_MS) return
  }
}

function closeIdle(connections: ReadonlyMap<Socket, number>): void {
  // After what was written has left.
  for (const [socket, inFlight] of connections) if (inFlight === 0 && !socket.writableEnded) socket.destroySoon()
}
