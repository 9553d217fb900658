// Where the program reads and writes. Everything that came from the service passes `visible` before a terminal gets it.
import type { Readable, Writable } from 'node:stream'

type Output = Writable & { isTTY?: boolean; columns?: number }

export type Console = {
  in: Readable & { isTTY?: boolean }
  out: Output
  err: Output
  env: Readonly<Record<string, string | undefined>>
  /** Ends when the person presses Ctrl-C. */
  signal: AbortSignal
}

/** Waits while the reader is slower, so that a long list does not fill the memory. */
export function write(output: Output, text: string | Uint8Array): Promise<void> {
  if (output.destroyed || output.writableEnded) return Promise.resolve()
  return new Promise((resolve, reject) => {
    // Called with an error once the reader has gone.
    output.write(text, (error) => (error ? reject(error) : resolve()))
  })
}

export const say = (console: Console, text: string): Promise<void> => write(console.err, `${visible(text)}\n`)

/** Controls, single surrogates, separators, and what turns the direction of a text: no record moves the cursor. */
const HARMFUL = /[^\P{Cc}\n\t]|[\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const escaped = (sign: string): string => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`

/** Line breaks and tabs stay. JSON stays JSON: these signs stand in its texts alone. */
export const visible = (text: string): string => text.replaceAll(HARMFUL, escaped)

/** In one line. */
export const inLine = (text: string): string =>
  visible(text.replaceAll(/\r?\n|\t/g, (sign) => (sign === '\t' ? ' ' : ' ⏎ ')))

export const isPerson = ({ in: input, err }: Console): boolean => input.isTTY === true && err.isTTY === true

export const hasColor = ({ env }: Console, output: Output): boolean =>
  output.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'

export const bold = (text: string, isOn: boolean): string => (isOn ? `\u001b[1m${text}\u001b[22m` : text)
export const dim = (text: string, isOn: boolean): string => (isOn ? `\u001b[2m${text}\u001b[22m` : text)
