// A service that answers look-ups, refuses them, hangs, and cuts connections.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { listen } from '#test/harness/listen.ts'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export type LookupSource = {
  url: string
  /** What it was asked for. */
  paths: string[]
  close: () => Promise<void>
}

/** Gives one answer after the other; the last one is repeated. */
export async function lookupSource(path: string, answers: readonly [Answer, ...Answer[]]): Promise<LookupSource> {
  const paths: string[] = []
  const { url, close } = await listen((request, response) => {
    const answer = answers[Math.min(paths.length, answers.length - 1)] ?? answers[0]
    paths.push(request.url ?? '')
    answer(request, response)
  })
  return { url: `${url}${path}`, paths, close }
}

export function json(status: number, body: unknown): Answer {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
}

export const hang: Answer = () => {}
export const cutOff: Answer = (_request, response) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('{"code":', () => response.destroy())
}
export const hangInBody: Answer = (_request, response) => {
  response.writeHead(200)
  response.write('{"code":')
}
