// The XML of an authorized NFS-e, read by path. It comes from outside: no DTD, no entities but XML's own, all of it text.
import { XMLParser } from 'fast-xml-parser'

/** `text('DPS.infDPS.nDPS')`: null when it is not there or empty. */
export type Xml = {
  text(path: string): string | null
  has(path: string): boolean
  /** Everything below a path; reads nothing when it is not there. */
  at(path: string): Xml
}

const LONGEST = 1024 * 1024

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  trimValues: true,
})

/** Throws when it is no XML that an authority sends. */
export function readXml(xml: string): Xml {
  if (xml.length > LONGEST) throw new Error('the XML is too long')
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new Error('the XML declares a document type')
  const parsed: unknown = parser.parse(xml, true)
  return under(parsed)
}

function under(root: unknown): Xml {
  const find = (path: string): unknown => path.split('.').reduce(step, root)
  return {
    text(path) {
      const found = find(path)
      const text = typeof found === 'string' ? found : step(found, '#text')
      return typeof text === 'string' && text !== '' ? decoded(text) : null
    },
    has: (path) => find(path) !== undefined,
    at: (path) => under(find(path)),
  }
}

/** Of what is there several times, the first. */
function step(from: unknown, name: string): unknown {
  if (typeof from !== 'object' || from === null) return undefined
  const found: unknown = Object.hasOwn(from, name) ? Reflect.get(from, name) : undefined
  return Array.isArray(found) ? found[0] : found
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** In one pass, so that nothing is decoded twice. */
const decoded = (text: string): string =>
  text.replaceAll(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi, (whole, name, decimal, hex) => {
    if (name !== undefined) return NAMED[String(name)] ?? whole
    const point = decimal === undefined ? parseInt(String(hex), 16) : Number(decimal)
    return point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff) ? String.fromCodePoint(point) : whole
  })
