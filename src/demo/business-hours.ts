// The demo's business hours: those of the Brazilian legal entity, with the national holidays of this year and the next.
import { setBusinessHours } from '#modules/delivery/business-hours/set-business-hours.ts'
import type { DemoService } from './demo-service.ts'

const OFFICE = [
  { from: '09:00', to: '12:00' },
  { from: '13:00', to: '18:00' },
]
/** Without those that move with Easter. */
const HOLIDAYS = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25']

export async function demoBusinessHours(service: DemoService): Promise<void> {
  const origin = service.origin()
  const year = origin.now.getUTCFullYear()
  await service.transactions.asSystem('the demo', origin, (ctx) =>
    setBusinessHours(ctx, 'entity_br', {
      business_hours: {
        time_zone: 'America/Sao_Paulo',
        weekly: { monday: OFFICE, tuesday: OFFICE, wednesday: OFFICE, thursday: OFFICE, friday: OFFICE },
        holidays: [year, year + 1].flatMap((one) => HOLIDAYS.map((day) => `${one}-${day}`)),
      },
    }),
  )
}
