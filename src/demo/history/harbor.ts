// Harbor Analytics: a customer of the other legal entity, who left after eleven months and is being won back.
import { endSubscription } from '#modules/sales/subscriptions/end-subscription.ts'
import { type Act, type Moment, momentAfter } from './act.ts'
import { asMember } from './callers.ts'
import { activation, goLive, moveProduction } from './delivery.ts'
import { paymentOf, quoteOf, refund, sale } from './sales.ts'
import { ticket, type TicketOfHistory } from './tickets.ts'

const GRACE = 'grace@harbor.example'
const OMAR = 'omar@harbor.example'
const currency = 'USD'
const MAIN = 'P-2011'

const PAID_BEFORE = [3, 2, 3, 1, 2, 0, 3, 2, 1, 2]
const FIRST_PAYMENT_DAY = 5

export function harbor(since: Date): Act[] {
  const act = (moment: Moment, run: Act['run']): Act => ({ at: momentAfter(since, moment), run })
  return [
    ...sale(
      since,
      [
        [0, 0, '16:00'],
        [0, 1, '15:20'],
      ],
      GRACE,
      {
        reference: MAIN,
        currency,
        line_items: [
          {
            product_name: 'Managed dashboards',
            quantity: 1,
            unit_price: '240.00',
            entitlement_class: 'ENV',
            interval: 'month',
          },
          { product_name: 'Monitoring', quantity: 5, unit_price: '6.90', entitlement_class: 'PLG', interval: 'month' },
        ],
      },
      { accepted: [0, 2, '18:30'], paid: [0, FIRST_PAYMENT_DAY, '17:00'], method: 'bank_transfer' },
    ),
    ...PAID_BEFORE.map((days, month) =>
      paymentOf(momentAfter(since, [month + 1, FIRST_PAYMENT_DAY - days, '17:00']), MAIN, 'bank_transfer'),
    ),
    act([0, 6, '14:00'], (ctx) =>
      goLive(ctx, { name: 'Harbor dashboards', platform: 'custom', url: 'https://boards.harbor.example' }),
    ),
    activation(since, [0, 8, '16:10'], OMAR, ['boards.harbor.example', 'api.harbor.example', 'etl.harbor.example']),
    // Two weeks before the eleventh period ends.
    act([10, 12, '17:45'], async (ctx) => {
      const { order_id } = await quoteOf(ctx, MAIN)
      const reason = 'We are moving the dashboards to our own data team.'
      await endSubscription(await asMember(ctx, GRACE), order_id, { at: 'period_end', reason })
    }),
    act([10, 18, '15:30'], (ctx) =>
      refund(ctx, MAIN, {
        company: 'entity_global',
        amount: '68.60',
        reason: 'A quarter of the last month, since the export of the boards was late',
      }),
    ),
    act([11, 9, '14:30'], (ctx) => moveProduction(ctx, 'decommissioned', 'The customer has left; data exported.')),
    ...sale(
      since,
      [
        [14, 9, '16:10'],
        [14, 10, '15:00'],
      ],
      GRACE,
      {
        reference: 'P-2040',
        currency,
        line_items: [
          {
            product_name: 'Managed dashboards',
            quantity: 1,
            unit_price: '210.00',
            entitlement_class: 'ENV',
            interval: 'month',
          },
        ],
      },
      { rejected: [14, 22, '19:20'], reason: 'The in-house boards do for now. Ask us again next year.' },
    ),
    ...sale(
      since,
      [
        [17, 18, '16:40'],
        [17, 19, '14:15'],
      ],
      GRACE,
      {
        reference: 'P-2051',
        currency,
        notes: 'First month free of charge if signed this month.',
        line_items: [
          {
            product_name: 'Managed dashboards',
            quantity: 1,
            unit_price: '195.00',
            entitlement_class: 'ENV',
            interval: 'month',
          },
          { product_name: 'Monitoring', quantity: 5, unit_price: '6.90', entitlement_class: 'PLG', interval: 'month' },
        ],
      },
    ),
    ...tickets.flatMap((told) => ticket(since, told)),
  ]
}

const tickets: readonly TicketOfHistory[] = [
  {
    on: [1, 8, '15:30'],
    by: OMAR,
    title: 'Dashboards time out at month end',
    description: 'The revenue board times out when everybody opens it on the first of the month.',
    priority: 'high',
    steps: [
      [28, 'sofia', 'Hi Omar, the query reads every order again. We are adding a table that is refreshed each night.'],
      [1, 'in_progress'],
      [310, 'otto', 'Done. The board now opens in 800 ms instead of 40 seconds.'],
      [55, 'customer', 'Confirmed, thank you!'],
      [5, 'resolved', 'Nightly summary table'],
    ],
    rating: ['good', 'Fast, and they told us why.'],
  },
  {
    on: [3, 19, '17:05'],
    by: OMAR,
    title: 'Allow our new office network',
    description: 'Please add 198.51.100.0/24 to the allowed networks.',
    steps: [
      [46, 'sofia', 'Added. It works from the next sign-in on.'],
      [2, 'resolved', 'Network added'],
    ],
    rating: ['good', 'Quick and friendly'],
  },
  {
    on: [7, 11, '14:20'],
    by: OMAR,
    title: 'Numbers differ from our own export',
    description: 'Our export of last month has 41,870 rows, your board shows 41,362.',
    priority: 'high',
    steps: [
      [520, 'sofia', 'Sorry for the wait, Omar. Rows without a region are left out. Shall we show them as “unknown”?'],
      [1, 'in_progress'],
      [160, 'customer', 'Yes please. We nearly reported the wrong number, though.'],
      [1300, 'sofia', 'Live since this morning: 41,870 rows.'],
      [30, 'resolved', 'Rows without a region are shown'],
    ],
    rating: ['bad', 'A day to find a filter that was yours.'],
  },
  {
    on: [10, 13, '15:10'],
    by: OMAR,
    title: 'Export of all boards',
    description: 'Before we leave we need every board with its queries, as SQL and as PDF.',
    steps: [
      [75, 'sofia', 'Of course. 37 boards; the archive will be ready on Thursday.'],
      [1, 'in_progress'],
      [5 * 1440, 'sofia', 'The archive is in your documents, later than we said. Flora refunds a part of the month.'],
      [40, 'customer', 'Received. Thanks for making it right.'],
      [15, 'closed'],
    ],
    rating: ['good', 'A fair goodbye.'],
  },
]
