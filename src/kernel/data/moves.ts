// State machines: a transition table declared once, for the database, the documents and the tests.

export type Move<Event extends string = string> = {
  readonly name: string
  readonly from: readonly string[]
  readonly to: string
  /** The last part of the event that the move emits. */
  readonly event: Event
  /** The column that holds the state. */
  readonly column: string
}

/**
 * `moves(states, { accept: { from: ['sent', 'viewed'], to: 'accepted' } })`: one line per act. The event's last part
 * is the state reached (`titular/quote/accepted`) unless `event` names it. Every other change of state is 409. `column`
 * is the column of the state where that is not `status`.
 */
export function moves<const State extends string, const Acts extends Record<string, Act<State>>>(
  states: readonly State[],
  acts: Acts,
  column = 'status',
): { readonly [Name in keyof Acts]: Move<EventOf<Acts[Name]>> } {
  const table: Record<string, Move> = {}
  for (const [name, { from, to, event }] of Object.entries<Act<State>>(acts)) {
    const unknown = [...from, to].find((state) => !states.includes(state))
    if (unknown) throw new Error(`the move ${name} names the unknown state ${unknown}`)
    table[name] = { name, from, to, event: event ?? to, column }
  }
  return table as { readonly [Name in keyof Acts]: Move<EventOf<Acts[Name]>> }
}

type Act<State> = { from: readonly State[]; to: State; event?: string }
type EventOf<Given> = Given extends { event: infer Event extends string }
  ? Event
  : Given extends { to: infer To extends string }
    ? To
    : never

/** Whether the state allows the move; for a decision before `move()`, whose statement checks it again. */
export const allows = ({ from }: Move, state: string): boolean => from.includes(state)

/** State → the states that may follow it, in the order of the acts: the table of states in docs/interface. */
export function transitions(table: Record<string, Move>): Map<string, string[]> {
  const result = new Map<string, string[]>()
  for (const { from, to } of Object.values(table))
    for (const state of from) {
      const targets = result.get(state) ?? []
      if (!targets.includes(to)) result.set(state, [...targets, to])
    }
  return result
}
