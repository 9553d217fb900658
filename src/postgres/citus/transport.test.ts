import { describe, expect, it } from 'vitest'
import { binding, prepare, type Statement, sql } from '#kernel/values/sql.ts'
import { readingAtNode } from './transport.ts'
import { writerLock } from './two-phases.ts'

const ACCESS = binding(sql`select 'ok' as verdict`)
const LOCK = writerLock(7)
const QUOTES = sql`select * from quotes`
const SETTINGS = { 'app.organization_id': '7' }

/** A transaction whose lock gives `locked`; what it sends, and whether it was locked before each group after the first. */
function transaction({
  isLong = false,
  locked = [{ last_sequence: 1 }],
}: { isLong?: boolean; locked?: unknown[] } = {}) {
  const sent: string[][] = []
  const wereLocked: boolean[] = []
  const rowsOf = (statement: Statement) => {
    const { text } = prepare(statement)
    if (text.includes('event_sequences')) return locked
    return text.includes('current_setting') ? [SETTINGS] : []
  }
  const groups = readingAtNode(
    async (statements) => {
      sent.push(
        statements.map(
          (statement) =>
            (/current_setting|event_sequences/.exec(prepare(statement).text) ?? [prepare(statement).text])[0],
        ),
      )
      return statements.map(rowsOf)
    },
    {
      forLocked: (run, { bound, isLocked }) => {
        expect(bound).toEqual(SETTINGS)
        return async (statements) => {
          wereLocked.push(isLocked())
          return run(statements)
        }
      },
    },
    { answerMs: 1000, isLong },
  )
  return { ...groups, sent, wereLocked }
}

describe('a transaction of an organization', () => {
  it('asks what the access check has set, and gives the rows of the statements that it was opened with', async () => {
    const { begin, sent } = transaction()
    expect(await begin([ACCESS, LOCK])).toEqual([[], [{ last_sequence: 1 }]])
    expect(sent).toEqual([['begin', prepare(ACCESS).text, 'event_sequences', 'current_setting']])
  })
  it('may pause as long as an answer may take', async () => {
    const { begin, sent } = transaction({ isLong: true })
    expect(await begin([ACCESS])).toEqual([[]])
    expect(sent[0]?.[1]).toBe(`set local idle_in_transaction_session_timeout = '70s'`)
  })
  it('is locked as soon as its lock has given a row', async () => {
    const opened = transaction()
    await opened.begin([ACCESS, LOCK])
    await opened.run([QUOTES])
    expect(opened.wereLocked).toEqual([true])
    const later = transaction()
    await later.begin([ACCESS])
    await later.run([LOCK, QUOTES])
    await later.run([QUOTES])
    expect(later.wereLocked).toEqual([false, true])
  })
  it('is not locked where its caller may not see the organization', async () => {
    const { begin, run, wereLocked } = transaction({ locked: [] })
    await begin([ACCESS, LOCK])
    await run([QUOTES])
    expect(wereLocked).toEqual([false])
  })
  it('is sent as it is where nothing was set', async () => {
    const { begin, run, sent, wereLocked } = transaction()
    await begin([QUOTES])
    await run([QUOTES])
    expect(sent).toEqual([['begin', prepare(QUOTES).text], [prepare(QUOTES).text]])
    expect(wereLocked).toEqual([])
  })
})
