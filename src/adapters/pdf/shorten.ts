// Shortens a document with too much text to render in time: its longest texts end in an ellipsis, the others stay
// whole.
import type { Block, DocumentTemplate } from '#ports/documents.ts'

/** Some fifty pages. The longest texts that a contract can have are a third of it. */
const MOST = 120_000
/** The characters that a line break counts as, for the space that it takes. */
const LINE_END = 30

export function shortened(template: DocumentTemplate): DocumentTemplate {
  const weights: number[] = []
  withTexts(template, (text) => {
    weights.push(weightOf(text))
    return text
  })
  const allowed = allowanceOf(weights)
  return allowed === Infinity ? template : withTexts(template, (text) => cut(text, allowed))
}

const weightOf = (text: string): number =>
  text.length + (text.match(/[\n\r\u0085\u2028\u2029]/g)?.length ?? 0) * LINE_END

/** The weight allowed for each text, so that all together have the allowed weight. */
function allowanceOf(weights: readonly number[]): number {
  let left = MOST
  const sorted = weights.toSorted((one, other) => one - other)
  for (const [index, weight] of sorted.entries()) {
    const share = left / (sorted.length - index)
    if (weight > share) return share
    left -= weight
  }
  return Infinity
}

function cut(text: string, allowed: number): string {
  if (weightOf(text) <= allowed) return text
  let weight = 0
  let end = 0
  for (const character of text) {
    weight += weightOf(character)
    if (weight >= allowed) break
    end += character.length
  }
  return `${text.slice(0, end)}…`
}

function withTexts(template: DocumentTemplate, change: (text: string) => string): DocumentTemplate {
  const { title, reference, letterhead, recipient } = template
  return {
    ...template,
    title: change(title),
    reference: change(reference),
    letterhead: { name: change(letterhead.name), lines: letterhead.lines.map(change) },
    recipient: { label: change(recipient.label), lines: recipient.lines.map(change) },
    blocks: template.blocks.map((block) => blockWith(block, change)),
  }
}

function blockWith(block: Block, change: (text: string) => string): Block {
  const facts = (all: { label: string; value: string }[]) =>
    all.map(({ label, value }) => ({ label: change(label), value: change(value) }))
  switch (block.kind) {
    case 'heading':
    case 'text':
      return { ...block, text: change(block.text) }
    case 'facts':
      return { ...block, facts: facts(block.facts) }
    case 'table':
      return { ...block, rows: block.rows.map((row) => row.map(change)), totals: facts(block.totals) }
    case 'qr':
      return { ...block, caption: change(block.caption), ...(block.facts && { facts: facts(block.facts) }) }
    case 'signatures':
      return {
        ...block,
        placeAndDate: change(block.placeAndDate),
        parties: block.parties.map(({ name, role, fields }) => ({ name: change(name), role: change(role), fields })),
      }
  }
}
