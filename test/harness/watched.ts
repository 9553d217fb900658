// Shows every statement of requests and jobs to a test, before it is run.
import type { Connections, Database, Role } from '#kernel/database/database.ts'
import type { Transaction } from '#kernel/database/transaction.ts'
import type { Statement } from '#kernel/values/sql.ts'

export type Look = (role: Role, statements: readonly Statement[]) => void

export function watchStatements(database: Database, look: Look): void {
  const watched = ({ read, change }: Connections): Connections => ({
    read(role, statements) {
      look(role, statements)
      return read(role, statements)
    },
    change(role, opening, work) {
      look(role, opening)
      const checked = ({ ask, write, ...transaction }: Transaction): Transaction => ({
        ...transaction,
        ask(statement) {
          look(role, [statement])
          return ask(statement)
        },
        write(statement) {
          look(role, [statement])
          write(statement)
        },
      })
      return change(role, opening, (transaction, opened) => work(checked(transaction), opened))
    },
  })
  Object.assign(database, watched(database), { longRunning: watched(database.longRunning) })
}
