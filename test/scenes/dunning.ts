// Invoices that are not paid, and the days that pass.
import { expect } from 'vitest'
import { addDays, dayIn } from '#kernel/values/time/calendar.ts'
import type { TestApp } from '#test/harness/app.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'

export const ZONE = 'America/Sao_Paulo'

export type Dunning = {
  /** The day in Brazil so many days from now. */
  day: (days: number) => string
  /** An invoice by staff, open and due so many days from now. */
  owes: (at: Organization, more?: object) => Promise<Answer['data']>
  /** Lets days pass, and runs all jobs that are due then, those of every minute too. */
  pass: (days: number) => Promise<void>
  drain: () => Promise<void>
  /** Lets days pass while no job runs. */
  jump: (days: number) => Promise<void>
  /** Signs the people in again, whose sessions have ended meanwhile. */
  wake: () => Promise<void>
}

export function dunningAt(app: TestApp, speakers: () => readonly Speaker[]): Dunning {
  const day = (days: number): string => addDays(dayIn(app.clock.now, ZONE), days)
  const drain = async () => {
    const kinds = ['dunning/dun', 'dunning/suspend', 'entitlements/expire', 'licenses/expire']
    await app.database.query('insert into jobs (kind, run_at) select unnest($1::text[]), $2', [kinds, app.clock.now])
    await app.service.worker.drain()
  }
  const wake = async () => {
    await app.database.query(`update sessions set expires_at = '2999-12-31'`)
    for (const { userId, headers } of speakers()) {
      const [found] = await app.database.query<{ sessionId: number; roles: string[] }>(
        'select s.id as "sessionId", u.roles from sessions s join users u on u.id = s.user_id where u.id = $1',
        [userId],
      )
      const { sessionId = 0, roles = [] } = found ?? {}
      const of = { userId, sessionId, roles, organizationId: null, scopes: [] }
      const { access_token } = await app.service.ports.accessTokens.issue({ ...of, now: app.clock.now })
      headers['authorization'] = `Bearer ${access_token}`
    }
  }
  const jump = async (days: number) => {
    app.clock.advance(days * 86_400)
    await wake()
  }
  return {
    day,
    owes: async (at, more = {}) => {
      const line = { product_name: 'Support', quantity: 1, unit_price: '100.00' }
      const body = {
        currency: 'BRL',
        company: 'entity_br',
        status: 'open',
        line_items: [line],
        due_date: day(5),
        ...more,
      }
      const answer = await at.staff.post('/invoices', body)
      expect(answer.status, answer.raw.body).toBe(201)
      await app.service.worker.drain()
      return answer.data
    },
    pass: async (days) => {
      await jump(days)
      await drain()
    },
    drain,
    jump,
    wake,
  }
}
