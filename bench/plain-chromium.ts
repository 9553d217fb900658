// A Chromium as a person has it, spoken to by its protocol alone. What a test library turns on changes what is
// measured: with a log of requests the engine notes where each was made, and reads whole scripts again for that.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../test/harness/until.ts'

type Answer = { id?: number; result?: { result?: { value?: unknown } }; error?: { message: string } }

export type Tab = {
  send: (method: string, parameters?: object) => Promise<Answer>
  /** What the expression gives, of a promise its value. */
  evaluate: (expression: string) => Promise<unknown>
  close: () => Promise<void>
}

/** Its only tab. `home` is a directory that nothing else uses. */
export async function openPlainChromium(program: string, home: string): Promise<Tab> {
  const browser = spawn(
    program,
    [
      '--headless=new',
      '--no-sandbox',
      '--no-first-run',
      '--remote-debugging-port=0',
      `--user-data-dir=${home}`,
      '--window-size=1280,800',
      'about:blank',
    ],
    { stdio: 'ignore' },
  )
  const socket = new WebSocket(await addressOfTab(home))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.addEventListener('message', ({ data }) => {
    const answer: Answer = JSON.parse(String(data))
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
  })
  let last = 0
  const send = async (method: string, params: object = {}): Promise<Answer> => {
    const id = ++last
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const answer = await answered
    waiting.delete(id)
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer
  }
  return {
    send,
    evaluate: async (expression) =>
      (await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })).result?.result?.value,
    close: async () => {
      socket.close()
      await ended(browser)
    },
  }
}

async function addressOfTab(home: string): Promise<string> {
  const port = await until(
    () => readFile(join(home, 'DevToolsActivePort'), 'utf8').catch(() => ''),
    (text) => text.includes('\n'),
  )
  const tabs = await until(
    async () => {
      const answer = await fetch(`http://127.0.0.1:${port.split('\n')[0]}/json`)
      const all: { type: string; webSocketDebuggerUrl: string }[] = JSON.parse(await answer.text())
      return all.filter(({ type }) => type === 'page')
    },
    (all) => all.length > 0,
  )
  return tabs[0]?.webSocketDebuggerUrl ?? ''
}

async function ended(browser: ChildProcess): Promise<void> {
  if (browser.exitCode !== null) return
  const end = new Promise((resolve) => browser.once('exit', resolve))
  browser.kill()
  await end
}
