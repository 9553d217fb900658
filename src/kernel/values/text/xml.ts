// Untrusted XML, read by path: a DOCTYPE, entities other than XML's own, and what is not well-formed are refused.
import { XMLParser, XMLValidator } from 'fast-xml-parser'

/** The document `says` something that it must not; the sentence begins after its name. */
export class UnreadableXml extends Error {}

/** Elements by their local names, attributes with `@`: `text('DPS.infDPS.@Id')`. All of it is text. */
export type Xml = {
  /** Null where there is nothing, or more than one element of a name: which of them counts is not for us to say. */
  text(path: string): string | null
  has(path: string): boolean
  /** Everything below a path; where there is nothing, it has nothing either. */
  at(path: string): Xml
}

const MAX_CHARACTERS = 512 * 1024
/** What XML 1.0 has no characters for. A document that is kept as it was signed cannot be cleaned of them. */
const NO_CHARACTER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
})

/** Throws UnreadableXml. */
export function readXml(xml: string): Xml {
  if (xml.length > MAX_CHARACTERS) throw new UnreadableXml('is too long')
  if (NO_CHARACTER.test(xml)) throw new UnreadableXml('holds what is no character')
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) throw new UnreadableXml('declares a document type')
  if (XMLValidator.validate(xml) !== true) throw new UnreadableXml('is not well-formed')
  return below(parsed(xml))
}

function parsed(xml: string): unknown {
  try {
    return parser.parse(xml)
  } catch (cause) {
    throw new UnreadableXml('is not well-formed', { cause })
  }
}

function below(root: unknown): Xml {
  const find = (path: string): unknown => path.split('.').reduce(property, root)
  return {
    text(path) {
      const found = find(path)
      const text = typeof found === 'string' ? found : property(found, '#text')
      return typeof text === 'string' && text !== '' ? decoded(text) : null
    },
    has: (path) => find(path) !== undefined,
    at: (path) => below(find(path)),
  }
}

/** Only what the document itself names: `constructor` is no element. */
const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined

const NAMED: ReadonlyMap<string, string> = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }))

/** In one pass, so that nothing is decoded twice; a number that is no character stays as it is written. */
const decoded = (text: string): string =>
  text.replaceAll(
    /&(?:([a-z]+)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (whole, name?: string, decimal?: string, hex = '') => {
      if (name !== undefined) return NAMED.get(name) ?? whole
      const point = decimal === undefined ? parseInt(String(hex), 16) : Number(decimal)
      const character = point <= 0x10ffff ? String.fromCodePoint(point) : ''
      return character === '' || NO_CHARACTER.test(character) ? whole : character
    },
  )
