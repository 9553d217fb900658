// Requests as they go over the wire.
import type { Question, Questions } from '../questions.ts'

export function bytesOf({ method, path, headers, body = '' }: Question): Buffer {
  const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) }
  const lines = Object.entries({ host: '127.0.0.1', ...headers, ...length }).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`)
}

/** Gives each connection its next request; a sequence stays on one connection. Undefined when no request is left. */
export function requestsOf(questions: Questions): () => () => Buffer | undefined {
  if (questions.all) {
    const all = questions.all.map(bytesOf)
    let asked = 0
    return () => () => all[asked++ % all.length]
  }
  const { nextSequence } = questions
  return () => {
    let sequence: Question[] = []
    return () => {
      if (sequence.length === 0) sequence = nextSequence() ?? []
      const question = sequence.shift()
      return question && bytesOf(question)
    }
  }
}
