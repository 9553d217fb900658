// Questions to the person at the terminal, on the error output, so that answers of the service stay apart.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { say, visible, write, type Console } from './console.ts'
import { UsageError } from './usage-error.ts'

type Options = { isHidden?: boolean }

/** Nothing of a hidden answer is shown. */
export async function ask(console: Console, about: string, { isHidden = false }: Options = {}): Promise<string> {
  // It may have a sentence of the service.
  const question = visible(about)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  // From here on the terminal shows nothing by itself: the question comes afterwards.
  const lines = createInterface({
    input: console.in,
    output: isHidden ? silent : console.err,
    terminal: console.in.isTTY === true,
    prompt: isHidden ? '' : question,
  })
  try {
    const answer = new Promise<string>((resolve, reject) => {
      const stop = (): void => reject(new Interrupted())
      if (console.signal.aborted) stop()
      console.signal.addEventListener('abort', stop, { once: true })
      lines.once('SIGINT', stop)
      lines.once('line', resolve)
      lines.once('close', () => reject(new UsageError('Nothing was answered')))
    })
    if (isHidden) await Promise.all([answer, write(console.err, question)])
    else lines.prompt()
    return await answer
  } finally {
    lines.close()
    if (isHidden) await say(console, '')
  }
}

/** Ctrl-C at a question. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

export async function textOf(input: Console['in']): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of input) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString('utf8')
}
