// Versions of releases (Semantic Versioning 2.0.0), and the text by which the database orders them.
import { Type } from 'typebox'

const NUMBER = '(0|[1-9]\\d*)'
const IDENTIFIER = '(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)'
const BUILD = '[0-9a-zA-Z-]+(\\.[0-9a-zA-Z-]+)*'

export const Version = Type.String({
  pattern: `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(-${IDENTIFIER}(\\.${IDENTIFIER})*)?(\\+${BUILD})?$`,
  maxLength: 64,
  examples: ['2.1.0'],
  description: 'Semantic Versioning 2.0.0',
})

/**
 * Compared byte by byte, keys have the precedence of their versions; versions that differ in the build only have the
 * same key. Each number begins with its own length. In a pre-release numbers come before words, and fewer identifiers
 * before more; `~` comes after all of them, so that the release follows its pre-releases.
 */
export function versionKey(version: string): string {
  const [precedence = ''] = version.split('+', 1)
  const [core = '', ...rest] = precedence.split('-')
  const numbers = core.split('.').map(numberKey).join('')
  if (rest.length === 0) return `${numbers}~`
  const identifiers = rest.join('-').split('.')
  return `${numbers}-${identifiers.map((one) => (/^\d+$/.test(one) ? `0${numberKey(one)}` : `1${one}`)).join('!')}`
}

const numberKey = (digits: string): string => String(digits.length).padStart(2, '0') + digits
