// XML from outside, read as input of strangers: no DOCTYPE, no entities but the five, well-formed or refused.
import { XMLParser, XMLValidator } from 'fast-xml-parser'

/** The document `says` something that it must not; the sentence begins after its name. */
export class UnreadableXml extends Error {}

/** Elements below the root, found by their local names; attributes begin with `@`. */
export type XmlTree = {
  /** The text at the path; null where there is none, or more than one. */
  text(...path: string[]): string | null
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

export function readXml(xml: string): XmlTree {
  if (xml.length > MAX_CHARACTERS) throw new UnreadableXml('is too long')
  if (NO_CHARACTER.test(xml)) throw new UnreadableXml('holds what is no character')
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) throw new UnreadableXml('declares a document type')
  if (XMLValidator.validate(xml) !== true) throw new UnreadableXml('is not well-formed')
  const tree = parsed(xml)
  return {
    text(...path) {
      let at: unknown = tree
      for (const name of path) at = property(at, name)
      const found = isObject(at) ? property(at, '#text') : at
      return typeof found === 'string' && found !== '' ? decoded(found) : null
    },
  }
}

function parsed(xml: string): unknown {
  try {
    return parser.parse(xml)
  } catch (cause) {
    throw new UnreadableXml('is not well-formed', { cause })
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const property = (value: unknown, name: string): unknown =>
  isObject(value) ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
)

/** The five of XML itself; the parser leaves them alone together with all others. */
const decoded = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (whole, name: string) => ENTITIES.get(name) ?? whole)
