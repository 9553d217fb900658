// The Atlassian Document Format: text to a document, and a document to the text that somebody wrote.
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'

const Node = Type.Object({
  type: Type.String(),
  text: Type.Optional(Type.String()),
  attrs: Type.Optional(Type.Unknown()),
  content: Type.Optional(Type.Array(Type.Unknown())),
})
type Node = Static<typeof Node>
const Attributes = Type.Object({
  text: Type.Optional(Type.String()),
  url: Type.Optional(Type.String()),
  shortName: Type.Optional(Type.String()),
})

/** A paragraph for each block of lines; text nodes are never empty, and only text, so that nothing in it is markup. */
export function documentOf(text: string) {
  const blocks = text.split(/\n{2,}/).filter((block) => block.trim() !== '')
  return { type: 'doc', version: 1, content: blocks.map((block) => ({ type: 'paragraph', content: lines(block) })) }
}

const lines = (block: string): object[] =>
  block
    .split('\n')
    .flatMap((line, index) => [
      ...(index > 0 ? [{ type: 'hardBreak' }] : []),
      ...(line === '' ? [] : [{ type: 'text', text: line }]),
    ])

const DEEPEST = 40
const BLOCKS: ReadonlySet<string> = new Set([
  'paragraph',
  'heading',
  'codeBlock',
  'blockquote',
  'bulletList',
  'orderedList',
  'panel',
  'rule',
  'table',
])

export const textOf = (document: unknown): string =>
  plain(document, 0)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()

function plain(node: unknown, depth: number): string {
  if (depth > DEEPEST || !Value.Check(Node, node)) return ''
  if (node.type === 'text') return node.text ?? ''
  if (node.type === 'hardBreak') return '\n'
  const inner = (node.content ?? []).map((child) => plain(child, depth + 1)).join('')
  if (node.type === 'listItem') return `- ${inner.trim()}\n`
  if (node.type === 'tableRow') return `${inner.trimEnd()}\n`
  if (node.type === 'tableCell' || node.type === 'tableHeader') return `${inner.trim()} `
  return BLOCKS.has(node.type) ? `${inner}\n\n` : `${attributeText(node)}${inner}`
}

/** Mentions, emoji and links are nodes without text. */
function attributeText({ attrs }: Node): string {
  if (!Value.Check(Attributes, attrs)) return ''
  return attrs.text ?? attrs.url ?? attrs.shortName ?? ''
}
