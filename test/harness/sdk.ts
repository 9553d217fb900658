// Before the tests: the client is generated from openapi.json, unless that was done already, and the commands of the
// command line.
import { generate as generateCommands } from '../../packages/cli/scripts/generate.ts'
import { generate } from '../../packages/sdk/scripts/generate.ts'

export async function setup(): Promise<void> {
  await generate({ ifStale: true })
  await generateCommands()
}
