// The national NFS-e system over real mutual TLS: the sandbox tax authority behind a server that requires a certificate of the
// tests' own authority, and that can hang, cut the connection, lose its answer or give another one.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { sandboxTaxAuthority } from '../../src/adapters/sandbox/tax/authority.ts'
import type { TestCertificate } from '#test/scenes/nfse-certificates.ts'

/** `lose` and `cut`: done, but the answer is lost, or half of it. `late`: done, but never answered. */
export type Behaviour =
  | 'hang'
  | 'cut'
  | 'lose'
  | 'late'
  | { status: number; body: string }
  | ((answer: string) => { status: number; body: string })

export type StandIn = {
  url: string
  requests: string[]
  /** The bodies of the POSTs. */
  bodies: string[]
  /** For the next request of this method, once. */
  once(method: 'GET' | 'POST', behaviour: Behaviour): void
  close(): Promise<void>
}

export type StandInOptions = {
  dataDir: string
  server: TestCertificate
  /** The authority of accepted client certificates. */
  authority: TestCertificate
  now?: () => Date
}

export async function nfseStandIn({ dataDir, server, authority, now }: StandInOptions): Promise<StandIn> {
  const office = sandboxTaxAuthority({ dataDir, providerName: 'Titular Brasil Ltda.', ...(now && { now }) })
  const requests: string[] = []
  const bodies: string[] = []
  const behaviours: { method: string; behaviour: Behaviour }[] = []
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    requests.push(`${method} ${path}`)
    if (method === 'POST') bodies.push(Buffer.concat(chunks).toString('utf8'))
    const at = behaviours.findIndex((one) => one.method === method)
    const [chosen] = at < 0 ? [] : behaviours.splice(at, 1)
    const behaviour = chosen?.behaviour
    if (behaviour === 'hang') return
    if (typeof behaviour === 'object') return void response.writeHead(behaviour.status).end(behaviour.body)
    const answer = await office.handle({ method, path, headers, body: Buffer.concat(chunks) })
    if (behaviour === 'lose') return void response.destroy()
    if (behaviour === 'cut') return cut(response, answer.status, answer.body)
    if (behaviour === 'late') return
    const given = typeof behaviour === 'function' ? behaviour(answer.body) : answer
    response.writeHead(given.status, answer.headers).end(given.body)
  }
  const https = createServer(
    {
      key: server.keyPem,
      cert: server.certificatePem,
      ca: authority.certificatePem,
      requestCert: true,
      rejectUnauthorized: true,
    },
    (request, response) => void handle(request, response).catch(() => response.destroy()),
  )
  await new Promise<void>((resolve) => https.listen(0, '127.0.0.1', resolve))
  const address = https.address()
  return {
    url: `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    requests,
    bodies,
    once: (method, behaviour) => void behaviours.push({ method, behaviour }),
    close: () =>
      new Promise((resolve) => {
        https.closeAllConnections()
        https.close(() => resolve())
      }),
  }
}

function cut(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.write(body.slice(0, body.length / 2), () => response.destroy())
}
