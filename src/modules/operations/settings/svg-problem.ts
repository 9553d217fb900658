// What keeps an SVG from being a logo: anything that could run, load something, or lead elsewhere. Elements are listed;
// what is not among them is refused by its name.
import { XMLParser } from 'fast-xml-parser'
import { readXml, UnreadableXml } from '#kernel/values/text/xml.ts'

const SVG = 'http://www.w3.org/2000/svg'

const ELEMENTS: ReadonlySet<string> = new Set(
  (
    'svg g defs symbol use title desc style path rect circle ellipse line polyline polygon text tspan textPath ' +
    'linearGradient radialGradient stop clipPath mask pattern marker filter feGaussianBlur feOffset feBlend feFlood ' +
    'feColorMatrix feComposite feMerge feMergeNode feDropShadow'
  ).split(' '),
)
const LINKS: readonly string[] = ['href', 'src', 'base']
/** Also escapes: `u\72l(` is one to a browser. */
const ELSEWHERE =
  /url\((?!\s*["']?#[\w.-]+["']?\s*\))|@import|@font-face|\\|javascript:|expression\(|\b(?:image|image-set|src)\(/i
/** A browser would read other characters than these checks. */
const ENCODED = /^\ufeff?\s*<\?xml\s[^>]*\bencoding\s*=(?!\s*["']utf-8["'])/i
/** Each may show another one twice, and that one again. */
const MOST_USES = 20
/** By numbers a value could be written that looks like another one. */
const NUMBERED = /&(?!(?:amp|lt|gt|quot|apos);)/

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  preserveOrder: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  ignoreDeclaration: true,
})

/** Null: it is harmless. The sentence follows the name of the field. */
export function svgProblem(text: string): string | null {
  if (ENCODED.test(text)) return 'must be a PNG or an SVG in UTF-8'
  const xml = text.replace(/^\ufeff?\s*(?:<\?xml\s[^?>]*\?>)?/, '')
  if (/<[?!](?!--)/.test(xml))
    return 'has a document type, an entity or another instruction, which a logo must not have'
  if (NUMBERED.test(xml)) return 'has an entity, which a logo must not have'
  try {
    readXml(xml)
  } catch (error) {
    if (error instanceof UnreadableXml) return 'is no well-formed SVG'
    throw error
  }
  const [root, ...others] = nodesOf(parsed(xml))
  if (root?.name !== 'svg' || root.attributes['xmlns'] !== SVG || others.length > 0) return 'is no well-formed SVG'
  if ((xml.match(/<use\b/g)?.length ?? 0) > MOST_USES) return `has the element use more than ${MOST_USES} times`
  return problemOf(root)
}

/** Nothing where the parser refuses a name, such as `__proto__`. */
function parsed(xml: string): unknown {
  try {
    return parser.parse(xml)
  } catch {
    return []
  }
}

type Node = { name: string; attributes: Record<string, unknown>; content: unknown; text: string }

/** Without the text between elements. */
function nodesOf(nodes: unknown): Node[] {
  if (!Array.isArray(nodes)) return []
  return nodes.flatMap((node: unknown) => {
    const { ':@': attributes = {}, ...rest } = Object(node)
    const [entry] = Object.entries(rest)
    if (entry === undefined || entry[0].startsWith('#')) return []
    const [name, content] = entry
    return [{ name, attributes, content, text: textIn(content) }]
  })
}

const textIn = (content: unknown): string =>
  Array.isArray(content) ? content.map((one: unknown) => String(Object(one)['#text'] ?? '')).join('') : ''

function problemOf({ name, attributes, content, text }: Node): string | null {
  if (!ELEMENTS.has(name)) return `has the element ${name}, which a logo must not have`
  if (name === 'style' && (ELSEWHERE.test(text) || nodesOf(content).length > 0)) return STYLED
  for (const [attribute, value] of Object.entries(attributes)) {
    const problem = attributeProblem(attribute, String(value))
    if (problem !== null) return problem
  }
  for (const node of nodesOf(content)) {
    const problem = problemOf(node)
    if (problem !== null) return problem
  }
  return null
}

const STYLED = 'has a style that loads something, which a logo must not do'

function attributeProblem(attribute: string, value: string): string | null {
  const local = attribute.replace(/^.*:/, '').toLowerCase()
  if (local.startsWith('on')) return `has the attribute ${attribute}, which a logo must not have`
  // A second name for the elements would go around the list of them.
  if (attribute.startsWith('xmlns:') && [SVG, 'http://www.w3.org/1999/xhtml'].includes(value.trim()))
    return `has the attribute ${attribute}, which a logo must not have`
  if (LINKS.includes(local) && !/^#[\w.-]+$/.test(value.trim()))
    return `has the link ${attribute}, which leads out of it`
  return ELSEWHERE.test(value) ? STYLED : null
}
