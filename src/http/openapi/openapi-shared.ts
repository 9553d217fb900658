// What several operations have alike stands in the document once, as a component: parameters and answers.
import { isObject, type Json, type JsonObject, membersOf, objectAt, textAt } from '#kernel/values/json.ts'
import { pascal } from './operation-id.ts'

/** Puts references into the operations, in place, and gives the components. */
export const share = (paths: JsonObject) => ({ parameters: parametersOf(paths), responses: successesOf(paths) })

function parametersOf(paths: JsonObject): JsonObject {
  const shared = sharing('parameters')
  const all = operationsIn(paths).map((operation) => {
    const { parameters } = operation
    return { operation, parameters: Array.isArray(parameters) ? parameters.filter(isObject) : [] }
  })
  for (const { parameters } of all) for (const one of parameters) shared.count(one)
  for (const { operation, parameters } of all) {
    if (parameters.length === 0) continue
    const owner = pascal(textAt(operation, 'operationId'))
    operation['parameters'] = parameters.map((one) => shared.refer(one, pascal(textAt(one, 'name')), owner))
  }
  return shared.components
}

function successesOf(paths: JsonObject): JsonObject {
  const shared = sharing('responses')
  const all = operationsIn(paths).map((operation) => ({ operation, responses: objectAt(operation, 'responses') }))
  for (const { responses } of all) for (const one of Object.values(responses)) if (isObject(one)) shared.count(one)
  for (const { operation, responses } of all)
    operation['responses'] = Object.fromEntries(
      Object.entries(responses).map(([status, one]): [string, Json] => {
        if (!isObject(one) || '$ref' in one) return [status, one]
        return [status, shared.refer(one, nameOf(one), pascal(textAt(operation, 'operationId')))]
      }),
    )
  return shared.components
}

/** `The `Quote` or `Preview`` is QuoteOrPreview. */
const nameOf = (answer: JsonObject): string =>
  pascal(
    textAt(answer, 'description')
      .replace(/^(The|A) /, '')
      .replaceAll(/[^A-Za-z]+/g, '-'),
  )

const operationsIn = (paths: JsonObject): JsonObject[] =>
  membersOf(paths).flatMap(([, item]) => membersOf(item).flatMap(([, one]) => (isObject(one) ? [one] : [])))

function sharing(kind: 'parameters' | 'responses') {
  const counts = new Map<string, number>()
  const names = new Map<string, string>()
  const components: JsonObject = {}
  return {
    components,
    count(value: JsonObject): void {
      const shape = JSON.stringify(value)
      counts.set(shape, (counts.get(shape) ?? 0) + 1)
    },
    /** The value itself where it stands only once. */
    refer(value: JsonObject, wanted: string, owner: string): JsonObject {
      const shape = JSON.stringify(value)
      if ((counts.get(shape) ?? 0) < 2) return value
      let name = names.get(shape)
      if (name === undefined) {
        name = wanted in components ? `${owner}${wanted}` : wanted
        names.set(shape, name)
        components[name] = value
      }
      return { $ref: `#/components/${kind}/${name}` }
    },
  }
}
