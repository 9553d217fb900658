// All histories of the demo: what staff find in every month, and records in every state.
import { expect, it } from 'vitest'
import { HISTORY_NAMES } from '../../src/demo/history/histories.ts'
import { dayIn, monthsFrom } from '#kernel/values/time/calendar.ts'
import { appOfFile } from '#test/harness/app.ts'
import { liveThrough } from '#test/scenes/demo-histories.ts'

const app = await appOfFile({ listens: true, drawsNothing: true })

type Row = Record<string, string>

it('the reports have figures in every month, and records are in every state', async () => {
  await liveThrough(app, HISTORY_NAMES)
  const staff = await app.world.user({ roles: ['customer', 'administrator'] })
  const thisMonth = dayIn(app.clock.now, 'UTC').slice(0, 7)
  const [year = '', month = ''] = thisMonth.split('-')
  const since = `${Number(year) - 1}-${month}`
  const period = `month_from=${since}&month_to=${thisMonth}`
  const monthsWith = async (report: string, field: string, query = '') => {
    const { data, raw } = await staff.get(`/admin/reports/${report}?${period}${query}`)
    expect(raw.statusCode, raw.body).toBe(200)
    const rows: Row[] = data.rows ?? data
    return [...new Set(rows.filter((row) => Number(row[field]) > 0).map((row) => row['month'] ?? ''))].toSorted()
  }
  const all = monthsFrom(since, thisMonth)
  expect(await monthsWith('billed', 'billed', '&currency=BRL')).toEqual(all)
  expect(await monthsWith('recognized', 'recognized', '&currency=BRL')).toEqual(
    expect.arrayContaining(all.slice(0, -1)),
  )
  expect(await monthsWith('recurring-revenue', 'closing', '&currency=BRL')).toEqual(all)
  const { data: receivables, raw } = await staff.get('/admin/reports/receivables?currency=BRL')
  expect(Number((receivables.rows ?? receivables)[0].days_31_60), raw.body).toBeGreaterThan(0)
  const states = async (table: string, column = 'status') =>
    (await app.database.query(`select distinct ${column} as state from ${table}`))
      .map(({ state }) => String(state))
      .toSorted()
  expect(await states('invoices')).toEqual(['open', 'paid', 'uncollectible', 'void'])
  expect(await states('tickets')).toEqual(['cancelled', 'closed', 'in_progress', 'open', 'resolved', 'waiting'])
  expect(await states('tax_invoices')).toEqual(['error', 'issued'])
  expect(await states('quotes')).toEqual(['cancelled', 'expired', 'fulfilled', 'rejected', 'viewed'])
  expect(await states('ticket_ratings', `coalesce(rating, 'asked')`)).toEqual(expect.arrayContaining(['bad', 'good']))
  expect(await states('entitlements')).toEqual(expect.arrayContaining(['active', 'expired', 'suspended']))
  const left = await app.database.query('select kind, last_error from jobs where last_error is not null')
  expect(left).toEqual([])
  const backwards = await app.database.query(`select * from (select organization_id, at,
    lag(at) over (partition by organization_id order by id) as before from audit_log) a where at < before`)
  expect(backwards).toEqual([])
})
