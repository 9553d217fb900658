// The flags of an operation: the parameters of its address and the members of its body, nested ones by their path.
import {
  type Document,
  type Fields,
  type OpenApiOperation,
  parametersOf,
  resolved,
} from '../../sdk/scripts/document.ts'
import type { Field, Kind } from '../src/command.ts'

type Schema = Fields & {
  type?: string | string[]
  properties?: { [name: string]: Schema }
  required?: string[]
  items?: Schema
  enum?: (string | number | boolean | null)[]
  const?: string
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  description?: string
  format?: string
}

/** Deeper members are given as JSON. */
const DEEPEST = 3

export function parametersIn(document: Document, operation: OpenApiOperation, place: string): Field[] {
  return parametersOf(document, operation)
    .filter((one) => one.in === place)
    .flatMap(({ name, required, description, schema }) => {
      const [field] = fieldsOf(document, name, schema, Boolean(required), DEEPEST)
      return field ? [description === undefined ? field : { ...field, about: description }] : []
    })
}

export const headersOf = (document: Document, operation: OpenApiOperation): Set<string> =>
  new Set(parametersOf(document, operation).flatMap((one) => (one.in === 'header' ? [one.name] : [])))

export function bodyOf(document: Document, { requestBody }: OpenApiOperation): { body: Field[]; needsBody?: true } {
  const content = requestBody && Object.values(requestBody.content)[0]
  if (!content) return { body: [] }
  const body = membersOf(document, content.schema, '', 0)
  return { body, ...(requestBody.required && { needsBody: true as const }) }
}

/** With the parts of `allOf` and the alternatives of `anyOf`, of which none is required then. */
function whole(document: Document, given: Schema): Schema {
  const schema = resolved<Schema>(document, given)
  const alternatives = (schema.anyOf ?? schema.oneOf ?? []).map((one) => whole(document, one))
  const parts = [...(schema.allOf ?? []).map((one) => whole(document, one)), ...alternatives]
  const properties = Object.assign({}, ...parts.map((one) => one.properties), schema.properties) as Schema['properties']
  const types = [schema, ...parts].flatMap((one) => one.type ?? [])
  const values = [schema, ...parts].flatMap((one) => one.enum ?? (one.const === undefined ? [] : [one.const]))
  const description = given.description ?? schema.description
  const items = schema.items ?? parts.find((one) => one.items)?.items
  return {
    ...schema,
    ...(description !== undefined && { description }),
    ...(types.length > 0 && { type: [...new Set(types)] }),
    ...(values.length > 0 && { enum: [...new Set(values)] }),
    ...(Object.keys(properties ?? {}).length > 0 && properties && { properties }),
    ...(alternatives.length > 0 && { required: schema.required ?? [] }),
    ...(items && { items }),
  }
}

function membersOf(document: Document, given: Schema, prefix: string, depth: number): Field[] {
  const schema = whole(document, given)
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]) => {
    const isRequired = depth === 0 && (schema.required ?? []).includes(name)
    return fieldsOf(document, prefix + name, one, isRequired, depth + 1)
  })
}

function fieldsOf(document: Document, name: string, given: Schema, isRequired: boolean, depth: number): Field[] {
  const schema = whole(document, given)
  const item = schema.items && whole(document, schema.items)
  const values = [schema, item].flatMap((one) => one?.enum ?? []).flatMap((one) => (one === null ? [] : [String(one)]))
  const field: Field = {
    name,
    kind: kindOf(schema, item),
    ...(schema.description !== undefined && { about: schema.description }),
    ...(values.length > 0 && { values }),
    ...(isRequired && { required: true }),
    ...([schema.type].flat().includes('null') && { nullable: true }),
  }
  if (depth >= DEEPEST) return [field]
  if (schema.properties) return [field, ...membersOf(document, schema, `${name}.`, depth)]
  return item?.properties ? [field, ...membersOf(document, item, `${name}[].`, depth)] : [field]
}

function kindOf(schema: Schema, item: Schema | undefined): Kind {
  const types = new Set([schema.type].flat())
  if (schema.format === 'binary') return 'file'
  if (types.has('array')) {
    const ofItem = new Set([item?.type].flat())
    if (ofItem.has('string')) return 'list'
    return ofItem.has('integer') ? 'integers' : 'json'
  }
  if (types.has('object')) return schema.properties ? 'json' : 'map'
  // A number in place of a text may mean something else (cents): it is given as JSON by `--data`.
  if (types.has('string')) return types.has('boolean') ? 'any' : 'text'
  if (types.has('integer')) return 'integer'
  if (types.has('number')) return 'number'
  return types.has('boolean') ? 'boolean' : 'json'
}
