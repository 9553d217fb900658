// Reads the JSON answers of the authority, or of a proxy in front of it. Only an error with a code is a refusal.
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { oneLine } from '#kernel/values/text/text.ts'
import type { TaxProblem } from '#ports/tax-authority.ts'

const MAX_PROBLEMS = 50
const MAX_TEXT = 2000

const Fields = Type.Record(Type.String(), Type.Unknown())

/** Fields by their lower-case names: the system writes both `idDps` and `idDPS`, `codigo` and `Codigo`. */
export type JsonAnswer = ReadonlyMap<string, unknown>

/** Null when it is no JSON object. */
export function readJson(text: string): JsonAnswer | null {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return null
  }
}

export function stringIn(answer: JsonAnswer | null, name: string): string | null {
  const value = answer?.get(name.toLowerCase())
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

/** Of `erros` or `erro`, a list or a single object; entries without a code are ignored. */
export function problemsIn(answer: JsonAnswer | null): TaxProblem[] {
  const given = ['erros', 'erro'].flatMap((name) => answer?.get(name) ?? [])
  return given.slice(0, MAX_PROBLEMS).flatMap((one) => {
    const fields = fieldsOf(one)
    const code = stringIn(fields, 'codigo')
    if (code === null || !/^[A-Za-z0-9._-]{1,20}$/.test(code)) return []
    const message = stringIn(fields, 'descricao') ?? stringIn(fields, 'mensagem') ?? code
    return [{ code, message: readable(message), detail: readable(stringIn(fields, 'complemento') ?? '') || null }]
  })
}

/** The packed XML of each event in a list, in the list's order. */
export function eventsIn(answer: JsonAnswer | null): string[] {
  const list = answer?.get('eventos')
  const inList = Array.isArray(list) ? list.map((one: unknown) => stringIn(fieldsOf(one), 'arquivoXml')) : []
  return [...inList, stringIn(answer, 'eventoXmlGZipB64')].filter((one) => one !== null)
}

/** Null when it is no JSON object. */
export function fieldsOf(value: unknown): JsonAnswer | null {
  if (Array.isArray(value) || !Value.Check(Fields, value)) return null
  return new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]))
}

export const readable = (text: string): string => oneLine(text, MAX_TEXT)
