// The output on the terminal: the log, and after the start the addresses and sign-ins.
import { styleText } from 'node:util'
import pino, { type Logger, type LoggerOptions } from 'pino'
import type { Config } from '#config/config.ts'
import type { SignIn } from '../demo/sign-ins.ts'
import { LOG_OPTIONS } from '#http/server/log-options.ts'
import { inPieces } from './log-pieces.ts'
import { isRequestLine, plain, readable } from './readable-log.ts'

export type Administrator = { email: string; password: string | null }
export type Welcome = { config: Config; administrator: Administrator | null; demo: SignIn[] | null }

export type Console = {
  log: Logger
  welcome(details: Welcome): void
  /** On a terminal one line that changes, below those of the log; else a line of the log each time. */
  progress(line: string, isLast?: boolean): void
}

/** Standard output; tests give their own. */
export type Output = { isTTY?: boolean | undefined; columns?: number | undefined; write(text: string): unknown }

const CLEAR_LINE = '\r\u001b[2K'

export function createConsole(level: string, output: Output = process.stdout): Console {
  const options = { ...LOG_OPTIONS, level }
  if (!output.isTTY) return linesForPrograms(options, output)
  // The sandbox's systems call this service while the demo is loaded; their request lines come after the sign-ins.
  let held: string[] | null = []
  let shown = ''
  const write = (json: string): void => {
    if (held && isRequestLine(json)) held.push(json)
    else output.write(`${shown && CLEAR_LINE}${readable(json)}${shown}`)
  }
  const progress = (line: string, isLast = false): void => {
    // A longer one would go on in the next row of the terminal, which is not cleared.
    const text = plain(line).slice(0, Math.max(0, (output.columns ?? 80) - 1))
    shown = isLast ? '' : text
    output.write(`${CLEAR_LINE}${text}${isLast ? '\n' : ''}`)
  }
  const release = (details: Welcome): void => {
    output.write(welcome(details))
    for (const json of held ?? []) output.write(readable(json))
    held = null
  }
  return { log: pino(options, { write }), welcome: release, progress }
}

/** One JSON object per line. */
function linesForPrograms(options: LoggerOptions, output: Output): Console {
  // pino's destination has written a piece when it returns, also to a pipe that is full and while the process exits.
  const destination = output === process.stdout ? pino.destination({ dest: 1, sync: true }) : output
  const pieces = inPieces((text) => destination.write(text))
  process.once('exit', pieces.flush)
  const log = pino(options, pieces)
  return {
    log,
    welcome(details) {
      pieces.flush()
      output.write(welcome(details))
    },
    progress: (line) => log.info(line),
  }
}

function welcome({ config, administrator, demo }: Welcome): string {
  const { publicUrl, sandbox } = config
  const lines = [
    '',
    `${bold('Titular')} is ready at ${bold(publicUrl)}`,
    `  Console    ${publicUrl}/app`,
    `  API        ${publicUrl}/api/v1`,
    `  Reference  ${publicUrl}/docs`,
    ...(sandbox ? [`  Mail       ${publicUrl}/mail`, `  Data       ${config.dataDir}`] : []),
  ]
  if (administrator) {
    const password = administrator.password === null ? 'ADMIN_PASSWORD' : administrator.password
    lines.push('', `Administrator: ${bold(administrator.email)}  password ${bold(password)}`)
    if (administrator.password !== null) lines.push('  (made just now and shown only this once)')
  }
  if (demo && demo.length > 0) {
    lines.push('', `Demo sign-ins, all with the password ${bold(demo[0]?.password ?? '')}:`)
    for (const { email, role, organization, organizationId } of demo)
      lines.push(
        `  ${email.padEnd(34)} ${role.padEnd(22)} ` +
          `${organization}${organizationId === null ? '' : ` (${organizationId})`}`,
      )
    lines.push('', ...HISTORIES)
  }
  return [...lines, '', ''].join('\n')
}

/** Of the customers with test clocks (src/demo/history). */
const HISTORIES = [
  'The last three customers now live through their last eighteen months, which takes a minute or two;',
  'the log says when each of them has come to today.',
]

const bold = (text: string): string => styleText('bold', text)
