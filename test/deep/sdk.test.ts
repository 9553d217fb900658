// The generated client over all operations of the document, with its examples, against the demo: each request reaches
// its operation, and each answer has a status and a shape that the document declares.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isObject, type Json, type JsonObject, objectAt, textAt } from '#kernel/values/json.ts'
import { fits, resolved } from '#test/harness/examples.ts'
import { ALL_SYSTEMS } from '#test/harness/other-systems.ts'
import { processOf, type Running } from '#test/harness/process.ts'
import { DEMO_SIGN_INS } from '../../src/demo/sign-ins.ts'
import * as everyOperation from '../../packages/sdk/src/generated/operations.ts'
import * as sdk from '../../packages/sdk/src/index.ts'

const MANY = '1000000/60'
/** Records of a list that are tried before an operation counts as refused. */
const WORTH_TRYING = 6
/** The share of operations that succeed with an example as it stands; others want a state that the demo lacks. */
const LEAST_SHARE = 0.65

const document: JsonObject = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'))
type Values = Record<string, Json | Blob | object>
type Outcome = { status: number; problem: string | null }

const operations: sdk.AnyOperation[] = Object.values(everyOperation)
const ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const rankOf = ({ method, path }: sdk.AnyOperation): number => ORDER.indexOf(method) * 100 + path.split('/').length

let service: Running
let callers: sdk.Titular[]
beforeAll(async () => {
  const environment = { LIMIT_CREDENTIALS: MANY, LIMIT_PUBLIC: MANY, LIMIT_REQUESTS: MANY }
  service = await processOf({ DEMO: '1', SANDBOX: '1', ...ALL_SYSTEMS, ...environment })
  await service.start()
  callers = [
    ['staff@titular.example', 1],
    ['ana@padaria.example', 1],
    ['staff@titular.example', 2],
  ].map(([email, organization]) =>
    sdk.createTitular({
      baseUrl: service.url,
      // Operations that end sessions are among them: the client signs in again by itself.
      credentials: sdk.tokenSession({ signIn: { email: String(email), password: DEMO_SIGN_INS.password } }),
      organization: Number(organization),
      retries: 0,
    }),
  )
})
afterAll(() => service.remove())

const declarationOf = ({ method, path }: sdk.AnyOperation): JsonObject =>
  objectAt(objectAt(objectAt(document, 'paths'), path), method.toLowerCase())

const parametersOf = (operation: sdk.AnyOperation, at: 'path' | 'query'): JsonObject[] => {
  const { parameters } = declarationOf(operation)
  const all = Array.isArray(parameters) ? parameters.map((one) => resolved(document, one)) : []
  return all.filter((one) => one['in'] === at)
}

const exampleOf = (parameter: JsonObject): Json => {
  const { examples, enum: values } = resolved(document, parameter['schema'])
  const [first = 1] = [examples, values].flatMap((one) => (Array.isArray(one) ? one : []))
  return parameter['example'] ?? first
}

/** What the list above a record gives for the place of its id. */
const listed = new Map<string, Promise<Json[]>>()
function placesOf(path: string, name: string, given: Values): Promise<Json[]> {
  const list = operations.find((one) => one.method === 'GET' && one.path === path && one.answer !== 'file')
  const key = `${path} ${JSON.stringify(given)}`
  const found = listed.get(key) ?? (list ? idsIn(list, name, given) : Promise.resolve([]))
  listed.set(key, found)
  return found
}

async function idsIn(list: sdk.AnyOperation, name: string, given: Values): Promise<Json[]> {
  const pages = await Promise.all(callers.map((titular) => titular.call(list, given).catch((): unknown => [])))
  const items = pages.flat().filter((one): one is JsonObject => typeof one === 'object' && one !== null)
  return [...new Set(items.map((one) => one[name] ?? one[name.replace(/_id$/, '')] ?? one['id'] ?? one['key'] ?? null))]
}

/** Parameters of the path, of records that are there. */
async function placed(operation: sdk.AnyOperation): Promise<Values[]> {
  let found: Values[] = [{}]
  for (const [at, name = ''] of [...operation.path.matchAll(/\/\{(\w+)\}/g)].map(
    (one) => [one.index, one[1]] as const,
  )) {
    const parameter = parametersOf(operation, 'path').find((one) => one['name'] === name) ?? {}
    const each = found.map(async (given) => {
      const ids = await placesOf(operation.path.slice(0, at), name, given)
      return (ids.length > 0 ? ids : [exampleOf(parameter)]).map((id) => ({ ...given, [name]: id }))
    })
    found = (await Promise.all(each)).flat().slice(0, WORTH_TRYING)
  }
  return found
}

function bodyOf(operation: sdk.AnyOperation): Values {
  const content = objectAt(objectAt(declarationOf(operation), 'requestBody'), 'content')
  const [[, media] = []] = Object.entries(content)
  const example = isObject(media) ? media['example'] : undefined
  if (example === undefined) return {}
  const file = new File(['%PDF-1.7'], 'plan.pdf', { type: 'application/pdf' })
  return { body: operation.multipart && isObject(example) ? { ...example, file } : example }
}

async function outcomeOf(titular: sdk.Titular, operation: sdk.AnyOperation, parameters: Values): Promise<Outcome> {
  const responses = objectAt(declarationOf(operation), 'responses')
  try {
    if (operation.answer === 'file' && sdk.isFileOperation(operation)) {
      await (await titular.download(operation, parameters)).bytes()
      return { status: 200, problem: null }
    }
    const { status, data, meta } = await titular.answer(operation, parameters)
    const content = objectAt(resolved(document, responses[String(status)]), 'content')
    const { allOf } = objectAt(objectAt(content, 'application/json'), 'schema')
    const schema = objectAt(objectAt(Array.isArray(allOf) ? allOf[1] : undefined, 'properties'), 'data')
    if (!fits(document, schema, data as Json)) return { status, problem: `another shape: ${JSON.stringify(data)}` }
    const isList = operation.answer !== 'json'
    return { status, problem: isList === (meta !== null) ? null : 'a list without its page, or a record with one' }
  } catch (error) {
    if (!(error instanceof sdk.ApiError)) return { status: 0, problem: String(error) }
    const isUnknown = error instanceof sdk.ValidationError && Object.values(error.fields).includes('unknown field')
    if (isUnknown)
      return { status: 422, problem: `fields that the operation does not know: ${JSON.stringify(error.fields)}` }
    const isDeclared = String(error.status) in responses && error.status !== 500 && error.code !== undefined
    return { status: error.status, problem: isDeclared ? null : `${error.status} ${error.message}` }
  }
}

/** The form of a report is optional only for who names it by `Accept`. */
const isNeeded = ({ answer }: sdk.AnyOperation, { required, name }: JsonObject): boolean =>
  required === true || (name === 'format' && answer === 'file')

async function tried(operation: sdk.AnyOperation): Promise<Outcome> {
  const needed = parametersOf(operation, 'query').filter((one) => isNeeded(operation, one))
  const query = Object.fromEntries(needed.map((one) => [textAt(one, 'name'), exampleOf(one)]))
  let last: Outcome = { status: 0, problem: 'nobody to ask' }
  for (const place of await placed(operation))
    for (const titular of callers) {
      last = await outcomeOf(titular, operation, { ...place, ...query, ...bodyOf(operation) })
      if (last.problem !== null || last.status < 300) return last
    }
  return last
}

it('has a value for each operation of the document', () => {
  const declared = Object.values(objectAt(document, 'paths')).flatMap((item) =>
    Object.values(isObject(item) ? item : {}).map((one) => textAt(isObject(one) ? one : {}, 'operationId')),
  )
  expect(declared.length).toBeGreaterThan(300)
  expect(operations.map(({ id }) => id).toSorted()).toEqual(declared.toSorted())
})

it('gets from each operation an answer that the document declares', async () => {
  const outcomes: [string, Outcome][] = []
  for (const operation of operations.toSorted((one, other) => rankOf(one) - rankOf(other)))
    outcomes.push([operation.id, await tried(operation)])
  const broken = outcomes.flatMap(([id, { problem }]) => (problem === null ? [] : [`${id}: ${problem.slice(0, 300)}`]))
  expect(broken, broken.join('\n')).toEqual([])
  const done = outcomes.filter(([, { status }]) => status < 300).length
  const refused = outcomes.filter(([, { status }]) => status >= 300).map(([id, { status }]) => `${id} ${status}`)
  expect(done / outcomes.length, `${done} of ${outcomes.length}; ${refused.join(', ')}`).toBeGreaterThan(LEAST_SHARE)
})
