// State machines: the parts of a declared move, and the printed table.
import { describe, expect, it } from 'vitest'
import { allows, moves, transitions } from './moves.ts'

const STATES = ['draft', 'sent', 'viewed', 'accepted'] as const

type Act = { from: string[]; to: string }
const making = (act: Act) => () => moves<string, { act: Act }>(STATES, { act })

describe('moves', () => {
  const table = moves(STATES, {
    send: { from: ['draft'], to: 'sent' },
    accept: { from: ['sent', 'viewed'], to: 'accepted', event: 'agreed' },
    reopen: { from: ['sent'], to: 'draft' },
    again: { from: ['sent'], to: 'accepted' },
  })
  it('have their name and states, and the event of the state reached unless one is declared', () => {
    expect(table.send).toEqual({ name: 'send', from: ['draft'], to: 'sent', event: 'sent', column: 'status' })
    expect(table.accept).toMatchObject({ name: 'accept', to: 'accepted', event: 'agreed' })
  })
  it('may concern another column than the status', () => {
    const { send } = moves(STATES, { send: { from: ['draft'], to: 'sent' } }, 'invite_status')
    expect(send.column).toBe('invite_status')
  })
  it('throw for an unknown state', () => {
    expect(making({ from: ['sent', 'gone'], to: 'draft' })).toThrow('the move act names the unknown state gone')
    expect(making({ from: ['sent'], to: 'away' })).toThrow('the move act names the unknown state away')
    expect(making({ from: ['sent'], to: 'draft' })).not.toThrow()
  })
  it('are allowed from the states that they name', () => {
    expect(STATES.filter((state) => allows(table.accept, state))).toEqual(['sent', 'viewed'])
  })
  it('print as a table, each state once', () => {
    expect([...transitions(table)]).toEqual([
      ['draft', ['sent']],
      ['sent', ['accepted', 'draft']],
      ['viewed', ['accepted']],
    ])
  })
})
