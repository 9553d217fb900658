// Single sign-on: the browser goes to the identity provider, and its answer comes to this machine (RFC 8252).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import {
  beginProgramSignOn,
  loginWithSignOn,
  type SignInChallenge,
  type Titular,
  type TokenSession,
} from '@titular/sdk'
import { say, type Console } from './console.ts'
import { Interrupted } from './prompt.ts'
import { UsageError } from './usage-error.ts'

const PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Titular</title>' +
  '<p>You can close this window and go on at the terminal.</p></html>'

export async function signOn(
  console: Console,
  titular: Titular,
  session: TokenSession,
  email: string,
  opens: boolean,
): Promise<SignInChallenge | null> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const begun = await titular.call(beginProgramSignOn, { body: { email, port } })
    const state = new URL(begun.authorization_url).searchParams.get('state') ?? ''
    const coming = answerAt(server, state, Date.parse(begun.expires_at), console.signal)
    await say(console, `Sign in in the browser:\n${begun.authorization_url}`)
    if (opens) openBrowser(begun.authorization_url, () => void say(console, NO_BROWSER))
    const answer = await coming
    const body = { ...answer, state, sign_on_token: begun.sign_on_token }
    const tokens = await titular.call(loginWithSignOn, { body })
    if ('second_factor_required' in tokens) return tokens
    await session.use(tokens)
    return null
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

const NO_BROWSER =
  'No browser opened here. To sign in with one on another device, press Ctrl-C and call titular login --device'

type Answer = { code?: string; iss?: string; error?: string }

/** What comes with another state was not asked for here. */
function answerAt(server: Server, state: string, expiresAt: number, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new UsageError('Nobody signed in in time', 'login')), expiresAt - Date.now())
    const stop = (): void => reject(new Interrupted())
    signal.addEventListener('abort', stop, { once: true })
    server.on('request', (request, response) => {
      const query = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams
      if (query.get('state') !== state) {
        response.writeHead(404).end()
        return
      }
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', connection: 'close' }).end(PAGE, () => {
        const given = ['code', 'iss', 'error'].flatMap((name) => {
          const value = query.get(name)
          return value === null ? [] : [[name, value]]
        })
        resolve(Object.fromEntries(given))
      })
    })
  })
}

const OPENERS: { readonly [platform: string]: readonly string[] } = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Without a browser the address is there to be copied. Other kinds of addresses would start other programs. */
function openBrowser(url: string, onFailure: () => void): void {
  if (!/^https?:$/.test(new URL(url).protocol)) return
  const [command = '', ...args] = OPENERS[process.platform] ?? ['xdg-open']
  spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', onFailure)
    .on('exit', (code) => code !== 0 && onFailure())
    .unref()
}
