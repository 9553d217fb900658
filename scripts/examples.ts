// Rewrites src/http/openapi/examples.json: what the demo answers, for the readers of openapi.json. An example stays as
// long as it fits its schema. It says which answers have none: those are written by hand.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEMO_SIGN_INS } from '../src/demo/sign-ins.ts'
import { type Examples, examplesOf, operationsOf } from '#test/harness/examples.ts'
import { ALL_SYSTEMS } from '#test/harness/other-systems.ts'
import { processOf } from '#test/harness/process.ts'

const FILE = join(import.meta.dirname, '../src/http/openapi/examples.json')
const MANY = '1000000/60'

const kept: Examples = JSON.parse(await readFile(FILE, 'utf8'))
const service = await processOf({
  DEMO: '1',
  SANDBOX: '1',
  ...ALL_SYSTEMS,
  LIMIT_CREDENTIALS: MANY,
  LIMIT_PUBLIC: MANY,
  LIMIT_REQUESTS: MANY,
})
try {
  await service.start()
  const examples = await examplesOf(service.url, DEMO_SIGN_INS.password, kept)
  const text = JSON.stringify(examples, null, 2)
    .replaceAll(service.url, 'https://account.example.com')
    .replaceAll('"127.0.0.1"', '"203.0.113.7"')
  await writeFile(FILE, `${text}\n`)
  const document = JSON.parse(await (await fetch(`${service.url}/openapi.json`)).text())
  const names = new Set(operationsOf(document).map(({ component }) => component.name))
  const without = [...names].filter((name) => !(name in examples))
  process.stdout.write(`${Object.keys(examples).length} examples; without one: ${without.join(', ') || 'none'}\n`)
} finally {
  await service.stop()
  await service.remove()
}
