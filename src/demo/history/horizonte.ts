// Colégio Horizonte: a school whose subscription has run and been paid for eighteen months, and grows.
import { changePlan } from '#modules/sales/subscriptions/change-plan.ts'
import { voidByHand } from '#modules/sales/invoices/finalize-invoice.ts'
import { one } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import { type Act, type Moment, momentAfter } from './act.ts'
import { asStaff } from './callers.ts'
import { activation, addStaging, agree, goLive, planWindow, project, serviceMove } from './delivery.ts'
import { horizonteTickets } from './horizonte-tickets.ts'
import { bill, paymentOf, quoteOf, refund, sale } from './sales.ts'
import { ticket } from './tickets.ts'

const HELENA = 'helena@horizonte.example'
const RAFAEL = 'rafael@horizonte.example'
const currency = 'BRL'
const MAIN = 'P-1042'
const TRAINING = 'P-1079'

/** Days before (negative: after) the due date on which each month was paid; twice a reminder was needed. */
const PAID_BEFORE = [2, 1, 3, 0, 2, -3, 1, 2, 1, 4, 2, 0, 1, -2, 3, 2, 1]
const FIRST_PAYMENT_DAY = 4

export function horizonte(since: Date): Act[] {
  const act = (moment: Moment, run: Act['run']): Act => ({ at: momentAfter(since, moment), run })
  return [
    ...sales(since),
    ...PAID_BEFORE.map((days, month) =>
      paymentOf(momentAfter(since, [month + 1, FIRST_PAYMENT_DAY - days, '15:10']), MAIN, 'pix'),
    ),
    act([0, 6, '13:20'], (ctx) =>
      goLive(ctx, { name: 'Campus Horizonte', platform: 'moodle', url: 'https://ead.horizonte.example' }),
    ),
    activation(since, [0, 7, '14:05'], RAFAEL, ['ead.horizonte.example', 'www.horizonte.example']),
    act([0, 8, '17:30'], (ctx) =>
      agree(ctx, {
        title: 'Hospedagem gerenciada do Campus Horizonte',
        terms: 'Hospedagem, cópias de segurança todas as noites e atendimento em horário comercial.',
        months: 24,
      }),
    ),
    ...project(since, [0, 9, '14:00'], {
      name: 'Migração do Moodle',
      steps: [
        ['Inventário dos cursos', 7, 6],
        ['Cópia de teste', 18, 17],
        ['Validação com os professores', 30, 34],
        ['Virada para o novo campus', 45, 44],
      ],
    }),
    serviceMove(since, [1, 25, '18:00'], 'Migração do Moodle', 'delivered'),
    serviceMove(since, [2, 3, '12:40'], 'Migração do Moodle', 'closed'),
    act([1, 20, '12:30'], (ctx) =>
      addStaging(ctx, { name: 'Homologação', platform: 'moodle', url: 'https://homologacao.horizonte.example' }),
    ),
    activation(since, [3, 12, '16:45'], RAFAEL, ['biblioteca.horizonte.example', 'blog.horizonte.example']),
    act([5, 20, '13:15'], async (ctx) => {
      const { order_id } = await quoteOf(ctx, MAIN)
      const { code } = await one(
        ctx,
        sql<{ code: string }>`select code from entitlements
          where organization_id = ${ctx.organizationId} and class = 'ENV' order by id limit 1`,
      )
      await changePlan(await asStaff(ctx, 'saulo'), order_id, {
        line_items: [{ entitlement_code: code, quantity: 3 }],
      })
    }),
    activation(since, [6, 14, '19:20'], RAFAEL, [
      'matriculas.horizonte.example',
      'secretaria.horizonte.example',
      'jornal.horizonte.example',
    ]),
    act([9, 2, '13:50'], (ctx) =>
      refund(ctx, TRAINING, {
        company: 'entity_br',
        amount: '600.00',
        reason: 'Uma das quatro turmas não aconteceu',
      }),
    ),
    act([11, 15, '14:30'], (ctx) =>
      planWindow(ctx, { inHours: 84, hours: 3, note: 'Atualização do Moodle para a versão 5.0' }),
    ),
    act([12, 8, '13:00'], async (ctx) => {
      const hours = { currency, product_name: 'Consultoria, 6 horas', quantity: 6, unit_price: '190.00' }
      await voidByHand(await asStaff(ctx, 'flora'), await bill(ctx, { ...hours, quantity: 8 }))
      await bill(ctx, { ...hours, notes: 'Substitui a fatura anterior, que cobrava oito horas.' })
    }),
    paymentOf(momentAfter(since, [12, 19, '15:25']), null, 'bank_transfer'),
    act([17, 26, '13:30'], (ctx) =>
      planWindow(ctx, { inHours: 130, hours: 2, note: 'Troca dos discos do servidor de arquivos' }),
    ),
    ...horizonteTickets.flatMap((told) => ticket(since, told)),
  ]
}

function sales(since: Date): Act[] {
  const hosting = { product_name: 'Managed Moodle', entitlement_class: 'ENV', interval: 'month' } as const
  const backup = { product_name: 'Backup Pro', entitlement_class: 'PLG', term_months: 24 } as const
  return [
    ...sale(
      since,
      [
        [0, 0, '12:40'],
        [0, 0, '17:15'],
      ],
      HELENA,
      {
        reference: MAIN,
        currency,
        notes: 'Conforme a reunião com a direção.',
        line_items: [
          { ...hosting, quantity: 2, unit_price: '490.00' },
          { ...backup, quantity: 12, unit_price: '718.20' },
          { product_name: 'Migração do Moodle', quantity: 1, unit_price: '1800.00', entitlement_class: 'SVC' },
        ],
      },
      { accepted: [0, 2, '13:30'], paid: [0, FIRST_PAYMENT_DAY, '15:10'], method: 'pix' },
    ),
    ...sale(
      since,
      [
        [7, 10, '13:10'],
        [7, 11, '12:35'],
      ],
      HELENA,
      {
        reference: TRAINING,
        currency,
        line_items: [
          { product_name: 'Formação de professores', quantity: 4, unit_price: '600.00', entitlement_class: 'EDU' },
        ],
      },
      { accepted: [7, 13, '14:20'], paid: [7, 19, '15:00'], method: 'boleto' },
    ),
    ...sale(
      since,
      [
        [10, 5, '17:40'],
        [10, 6, '12:20'],
      ],
      HELENA,
      {
        reference: 'P-1101',
        currency,
        line_items: [
          { product_name: 'Sala virtual ao vivo', quantity: 1, unit_price: '3200.00', entitlement_class: 'SVC' },
        ],
      },
      { cancelled: [10, 14, '18:10'] },
    ),
    ...sale(
      since,
      [
        [13, 12, '12:50'],
        [13, 12, '19:30'],
      ],
      HELENA,
      {
        reference: 'P-1123',
        currency,
        line_items: [
          { product_name: 'Integração com a secretaria', quantity: 1, unit_price: '6800.00', entitlement_class: 'SVC' },
        ],
      },
      { accepted: [13, 20, '14:00'], paid: [14, 2, '15:00'], method: 'boleto' },
    ),
    ...project(since, [14, 10, '13:00'], {
      name: 'Integração com a secretaria',
      steps: [
        ['Levantamento', 15, 13],
        ['Matrículas na hora', 60, 71],
        ['Notas de volta à secretaria', 115, null],
        ['Acompanhamento do primeiro bimestre', 150, null],
      ],
    }),
    ...sale(
      since,
      [
        [15, 3, '13:30'],
        [15, 4, '12:10'],
      ],
      HELENA,
      {
        reference: 'P-1136',
        currency,
        line_items: [
          {
            product_name: 'Aplicativo com a marca da escola',
            quantity: 1,
            unit_price: '9400.00',
            entitlement_class: 'SVC',
          },
        ],
      },
      { rejected: [15, 16, '18:45'], reason: 'Fica para o orçamento do próximo ano letivo.' },
    ),
    ...sale(since, [[15, 21, '14:15']], HELENA, {
      reference: 'P-1140',
      currency,
      validDays: 20,
      line_items: [
        { product_name: 'Formação de professores', quantity: 2, unit_price: '620.00', entitlement_class: 'EDU' },
      ],
    }),
    ...sale(
      since,
      [
        [17, 20, '13:45'],
        [17, 21, '12:55'],
      ],
      HELENA,
      {
        reference: 'P-1152',
        currency,
        line_items: [
          { product_name: 'Monitoring', quantity: 2, unit_price: '29.90', entitlement_class: 'PLG', interval: 'month' },
        ],
      },
    ),
  ]
}
