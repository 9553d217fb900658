// What the console offers as the next status of a ticket is what the service allows.
import { expect, it } from 'vitest'
import { transitions } from '#kernel/data/moves.ts'
import { ticketMoves } from '#modules/support/tickets/ticket.ts'
import { MOVES } from '../../apps/console/src/resources/desk.ts'

const sorted = (moves: Iterable<[string, readonly string[]]>) =>
  Object.fromEntries([...moves].map(([from, to]) => [from, to.toSorted()]))

it('a ticket is offered every status that it may have next, and no other', () => {
  expect(sorted(Object.entries(MOVES))).toEqual(sorted(transitions(ticketMoves)))
})
