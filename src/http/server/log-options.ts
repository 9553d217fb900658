// Options of all logs: errors without the values of statements, and no secrets from URLs.
import type { LoggerOptions } from 'pino'

export const LOG_OPTIONS = {
  redact: ['password', 'authorization', 'cookie', '*.password', '*.authorization', '*.cookie', 'headers'],
  serializers: { err: errorForLog },
  hooks: {
    // Libraries put whole URLs into their messages.
    logMethod(given, method) {
      const clean = given.map((one: unknown) => (typeof one === 'string' ? withoutSecrets(one) : one))
      Reflect.apply(method, this, clean)
    },
  },
} satisfies LoggerOptions

/** What happened and where, never the values of a statement. */
function errorForLog(error: unknown): object {
  if (!(error instanceof Error)) return { message: withoutSecrets(String(error).slice(0, 500)) }
  const { code, constraint } = error as Error & { code?: unknown; constraint?: unknown }
  const cause = error.cause === undefined ? {} : { cause: errorForLog(error.cause) }
  return {
    type: error.name,
    message: withoutSecrets(error.message.slice(0, 500)),
    code,
    constraint,
    stack: error.stack && withoutSecrets(error.stack.slice(0, 3000)),
    ...cause,
  }
}

const USER_INFO = /(\w:\/\/)[^\s/@'"]{1,200}@/g
const QUERY = /(\w:\/\/[^\s?#'"]{1,500}[?#])[^\s'"<>)]+/g
/** A parameter, also outside of a query, and also when encoded. */
const PARAMETER = /([?#;&]|%3f|%23|%26|%3b)[\w.~-]{1,100}(?:=|%3d)[^\s'"<>)]*/gi
const NAMED = /\b((?:consumer_|access_|refresh_)?(?:key|secret|token|password|nonce|signature))(=|%3d)[^\s;&'"<>)]+/gi

/** What each of the four patterns needs; most messages have none of it. */
const SUSPECT = /=|%3d|:\/\//i

/** Removes user names, queries and anything like a parameter from the URLs in a text. */
export const withoutSecrets = (text: string): string => (SUSPECT.test(text) ? cleaned(text) : text)

const cleaned = (text: string): string =>
  text.replace(USER_INFO, '$1').replace(QUERY, '$1…').replace(PARAMETER, '$1…').replace(NAMED, '$1$2…')
