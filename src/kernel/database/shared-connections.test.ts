// What becomes of reads when a connection cannot be opened.
import { expect, it } from 'vitest'
import { sql } from '#kernel/values/sql.ts'
import { createAnswerTimeouts, WAITS } from './answer-timeouts.ts'
import { createSharedConnections } from './shared-connections.ts'

it('a read that follows on one whose connection could not be opened tries to open another', async () => {
  let opened = 0
  const refuse = () => Promise.reject(new Error(`refused ${++opened}`))
  const { read } = createSharedConnections(1, refuse, { version: 0 }, createAnswerTimeouts(WAITS))
  const message = () => read([sql`select 1`]).catch((error: Error) => (error.cause as Error).message)
  expect([await message(), await message()]).toEqual(['refused 1', 'refused 2'])
})
