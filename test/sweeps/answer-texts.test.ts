// Every refusal exists in both languages: each sentence that the code throws has its row, and each row has a sentence.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { ERRORS } from '#kernel/values/errors.ts'
import { fieldCodeOf, hasTranslation, SENTENCES, sentenceIn } from '#texts/answers/sentences.ts'

const ROOT = join(import.meta.dirname, '../..')
const files = globSync('src/{http,kernel,modules,ports,adapters}/**/*.ts', { cwd: ROOT }).filter(
  (path) => !/\.(test|contract)\.ts$|adapters\/sandbox/.test(path),
)
const sources = files.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

const THROWING = /^(?:conflict|forbidden|notFound|invalid|notAccepted)$/

/** A text with `{}` for what it inserts; undefined for what is no text. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('')
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined
  const [left, right] = [textOf(node.left), textOf(node.right)]
  return left === undefined || right === undefined ? undefined : left + right
}

/** The sentences in the arguments of a call that refuses: the last argument, or the values of its object. */
function sentencesIn(call: ts.CallExpression): string[] {
  const last = call.arguments.at(-1)
  if (!last) return []
  const values = ts.isObjectLiteralExpression(last)
    ? last.properties.flatMap((one) => (ts.isPropertyAssignment(one) ? [one.initializer] : []))
    : [last]
  return values.flatMap((value) => textOf(value) ?? [])
}

function refusalsIn({ path, text }: { path: string; text: string }): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && THROWING.test(node.expression.getText())) found.push(...sentencesIn(node))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
  return found
}

/** The texts that are given as the `message` of an answer, or of a refusal. */
function messagesIn({ path, text }: { path: string; text: string }): string[] {
  const found: string[] = []
  const collect = (node: ts.Node): void => {
    if (!ts.isConditionalExpression(node)) return void found.push(...[textOf(node) ?? []].flat())
    collect(node.whenTrue)
    collect(node.whenFalse)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'message') collect(node.initializer)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
  return found
}

it('what was done has a Portuguese sentence each', () => {
  // What `local-only.ts` says is for the operator.
  const said = sources.filter(({ path }) => /src\/(http\/features|modules)/.test(path)).flatMap(messagesIn)
  expect(said.length).toBeGreaterThan(250)
  expect(said.filter((sentence) => !hasTranslation(sentence))).toEqual([])
})

describe('refusals', () => {
  it('have a Portuguese sentence each', () => {
    const thrown = sources.flatMap((source) => refusalsIn(source).map((sentence) => `${source.path}: ${sentence}`))
    const lacking = thrown.filter((line) => !hasTranslation(line.slice(line.indexOf(': ') + 2)))
    expect(thrown.length).toBeGreaterThan(300)
    expect(lacking).toEqual([])
  })

  it('of the table of codes have one', () => {
    expect(Object.values(ERRORS).filter(({ message }) => !hasTranslation(message))).toEqual([])
  })
})

it('what a client sent is inserted as it is, whatever else goes by that word', () => {
  for (const word of ['constructor', 'toString', '__proto__', '{1}', '$&', 'ação "x"\n🥖'])
    expect(sentenceIn('pt-BR', `the record has no field ${word}`)).toBe(`o registro não tem o campo ${word}`)
})

const places = (sentence: string) => [...new Set(sentence.match(/\{\d\}/g))].toSorted().join()

describe('the tables', () => {
  const SAMPLE = 'xyz'
  const filled = (sentence: string) => sentence.replaceAll(/\{\d\}/g, SAMPLE)

  it('have each sentence once, and no general one hides a special one', () => {
    const english = SENTENCES.map((row) => row.english)
    expect(english.filter((one, index) => english.indexOf(one) !== index)).toEqual([])
    const hidden = SENTENCES.filter((row) => sentenceIn('pt-BR', filled(row.english)) !== filled(row.portuguese))
    expect(hidden).toEqual([])
    expect(SENTENCES.filter((row) => row.code !== null && fieldCodeOf(filled(row.english)) !== row.code)).toEqual([])
  })

  it('insert in Portuguese what the English sentence inserts', () => {
    expect(SENTENCES.filter((row) => places(row.english) !== places(row.portuguese))).toEqual([])
  })

  it('have nothing that no code says', () => {
    const code = sources.map(({ text }) => text.replaceAll(/'\s*\+\s*['`]|`\s*\+\s*['`]/g, '')).join('\n')
    const plain = code.replaceAll(/\\(?=['`])/g, '')
    // Some are put together of parts that the code has in several places.
    const isSaid = (english: string) =>
      english
        .split(/\{\d\}/g)
        .every(
          (part) =>
            plain.includes(part) || part.split(/^must be |must |, | or |; /).every((one) => plain.includes(one)),
        )
    expect(SENTENCES.filter(({ english }) => !isSaid(english)).map(({ english }) => english)).toEqual([])
  })
})
