// Answers malformed HTTP, which Node refuses before there is a request: with the envelope, a request id and a log line.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { timesGiven } from '#http/caller.ts'
import { failure } from '#http/envelope.ts'
import { AppError, ERRORS } from '#kernel/values/errors.ts'

// An import would read every export of the module, one of which loads Node's WebSocket: 20 ms of every start.
const { ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')

type Refusal = { status: number; error: AppError }

const refusal = (status: number, message: string): Refusal => ({
  status,
  error: new AppError('BAD_REQUEST', { message }),
})
const refusalOf = (error: AppError): Refusal => ({ status: ERRORS[error.code].status, error })

const MALFORMED = refusalOf(new AppError('BAD_REQUEST'))
const BY_PARSER: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: refusal(431, 'The header fields are too large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refusalOf(new AppError('PAYLOAD_TOO_LARGE')),
  ERR_HTTP_REQUEST_TIMEOUT: refusal(408, 'The request took too long to arrive'),
}
const EXPECTATION = refusal(417, 'Only 100-continue can be expected')
const CONNECT = refusalOf(new AppError('METHOD_NOT_ALLOWED'))

/** Time for the client to read the refusal and close. */
const LINGER_MS = 1000

/** For `clientErrorHandler`. */
export const answerUnreadable =
  (log: Logger) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    // An answer that has begun cannot be replaced by another.
    const response: unknown = Reflect.get(socket, '_httpMessage')
    const isAnswered = response instanceof ServerResponse && response.headersSent
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) return void socket.destroy()
    refuse(log, socket, BY_PARSER[error.code ?? ''] ?? MALFORMED)
  }

/** Answers what Node would answer or drop by itself. */
export function answerInsteadOfNode(app: FastifyInstance, log: Logger): void {
  app.server.on('checkExpectation', ({ socket }: IncomingMessage) => refuse(log, socket, EXPECTATION))
  app.server.on('connect', ({ socket }: IncomingMessage) => refuse(log, socket, CONNECT))
  app.addHook('onRequest', requireOneHost)
}

function refuse(log: Logger, socket: Socket, { status, error }: Refusal): void {
  const id = randomUUID()
  const body = JSON.stringify(failure(error))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${id}`,
    'Connection: close',
  ]
  log.info({ request_id: id, status, ip: socket.remoteAddress, reason: error.message }, 'unreadable request')
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** With two Host fields, a proxy could read another host than this service. (Node takes the first.) */
function requireOneHost({ raw }: FastifyRequest, reply: FastifyReply, done: (refused?: Error) => void): void {
  const given = timesGiven(raw, 'host')
  if (given === 1 || (given === 0 && raw.httpVersion === '1.0')) return done()
  reply.header('connection', 'close')
  done(new AppError('BAD_REQUEST', { message: 'The request must have one Host field' }))
}
