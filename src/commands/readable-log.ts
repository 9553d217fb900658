// The log as lines for people, on a terminal; without one it is JSON.
import { styleText } from 'node:util'

type Line = Readonly<Record<string, unknown>>

const LEVELS: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

/** Left out of the lines: the same in all of them, or for programs only. */
const LEFT_OUT = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err', 'request_id', 'route', 'ip'])

/** Formats one line of pino's JSON; text that is no JSON is returned unchanged. */
export function readable(json: string): string {
  const line = parsed(json)
  if (!line) return json
  const time = styleText('dim', new Date(Number(line['time'])).toTimeString().slice(0, 8))
  const level = LEVELS[Number(line['level'])] ?? 'info'
  const mark = level === 'info' ? '' : `${styleText(level === 'warn' ? 'yellow' : 'red', level)} `
  const text = isRequest(line) ? requestOf(line) : [plain(line['msg']), ...pairsOf(line)].join(' ')
  return `${time} ${mark}${text}${errorOf(line['err'])}\n`
}

export const isRequestLine = (json: string): boolean => {
  const line = parsed(json)
  return line !== null && isRequest(line)
}

const isRequest = (line: Line): boolean => line['msg'] === 'request' && 'status' in line

function requestOf({ method, path, status, ms, user_id: user, organization_id: organization }: Line): string {
  const code = Number(status)
  const answer = styleText(code >= 500 ? 'red' : code >= 400 ? 'yellow' : 'green', plain(status))
  const who = [user ? ` user ${plain(user)}` : '', organization ? ` organization ${plain(organization)}` : '']
  return `${plain(method)} ${plain(path)} ${answer} ${styleText('dim', `${plain(ms)} ms${who.join('')}`)}`
}

const pairsOf = (line: Line): string[] =>
  Object.entries(line)
    .filter(([name, value]) => !LEFT_OUT.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => styleText('dim', `${name}=${plain(value)}`))

/** The message, then the stack. */
function errorOf(error: unknown): string {
  if (!isObject(error)) return ''
  const { message, stack, cause } = error
  const where = typeof stack === 'string' ? stack.split('\n').slice(1) : []
  const lines = [plain(message), ...where.map((one) => styleText('dim', plain(one)))]
  return `${lines.map((one) => `\n  ${one}`).join('')}${errorOf(cause)}`
}

/** Without control characters: a terminal would execute those that came with a request. */
export const plain = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replaceAll(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    ' ',
  )

function parsed(json: string): Line | null {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Line => typeof value === 'object' && value !== null
