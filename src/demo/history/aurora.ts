// Livraria Aurora: a bookshop that paid for a year and is now in arrears, with its shop suspended.
import { changeOrganization } from '#modules/identity/organizations/change-organization.ts'
import { giveUpInvoice } from '#modules/sales/invoices/finalize-invoice.ts'
import { one } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import { type Act, type Moment, momentAfter } from './act.ts'
import { asStaff } from './callers.ts'
import { activation, agree, goLive, project, serviceMove } from './delivery.ts'
import { bill, paymentOf, sale } from './sales.ts'
import { ticket, type TicketOfHistory } from './tickets.ts'

const TIAGO = 'tiago@aurora.example'
const currency = 'BRL'
const MAIN = 'P-1050'

/** Later and later; the last months are not paid at all. */
const PAID_BEFORE = [1, 0, 2, -1, 0, -4, 1, -6, -2, -8, -5, -9, -12]
const FIRST_PAYMENT_DAY = 6

export function aurora(since: Date): Act[] {
  const act = (moment: Moment, run: Act['run']): Act => ({ at: momentAfter(since, moment), run })
  return [
    ...sale(
      since,
      [
        [0, 1, '14:00'],
        [0, 1, '19:10'],
      ],
      TIAGO,
      {
        reference: MAIN,
        currency,
        line_items: [
          {
            product_name: 'Loja virtual gerenciada',
            quantity: 1,
            unit_price: '390.00',
            entitlement_class: 'ENV',
            interval: 'month',
          },
          { product_name: 'Backup Pro', quantity: 3, unit_price: '718.20', entitlement_class: 'PLG', term_months: 24 },
          { product_name: 'Abertura da loja', quantity: 1, unit_price: '950.00', entitlement_class: 'SVC' },
        ],
      },
      { accepted: [0, 3, '12:20'], paid: [0, FIRST_PAYMENT_DAY, '15:40'], method: 'boleto' },
    ),
    ...PAID_BEFORE.map((days, month) =>
      paymentOf(momentAfter(since, [month + 1, FIRST_PAYMENT_DAY - days, '15:40']), MAIN, 'boleto'),
    ),
    act([0, 9, '18:00'], (ctx) =>
      goLive(ctx, { name: 'Loja Aurora', platform: 'wordpress', url: 'https://loja.aurora.example' }),
    ),
    activation(since, [0, 10, '13:00'], TIAGO, ['loja.aurora.example', 'www.aurora.example']),
    act([0, 12, '17:00'], (ctx) =>
      agree(ctx, {
        title: 'Hospedagem gerenciada da loja',
        terms: 'Hospedagem, cópias de segurança e atendimento em horário comercial.',
        months: 24,
      }),
    ),
    ...project(since, [0, 10, '14:00'], {
      name: 'Abertura da loja',
      steps: [
        ['Catálogo de 1.200 títulos', 10, 12],
        ['Frete e meios de pagamento', 20, 19],
      ],
    }),
    serviceMove(since, [1, 2, '18:00'], 'Abertura da loja', 'delivered'),
    serviceMove(since, [1, 9, '18:00'], 'Abertura da loja', 'closed'),
    // Beside the subscription, and never paid.
    act([4, 20, '13:00'], async (ctx) => {
      await bill(ctx, { currency, product_name: 'Fotografia de 60 capas', quantity: 1, unit_price: '650.00' })
    }),
    act([8, 3, '14:30'], async (ctx) => {
      const { id } = await one(
        ctx,
        sql<{ id: number }>`select id from invoices
          where organization_id = ${ctx.organizationId} and order_id is null order by id limit 1`,
      )
      await giveUpInvoice(await asStaff(ctx, 'flora'), id)
    }),
    // The authority does not find the customer's CNPJ, so that the last tax invoice is refused.
    act([13, 10, '12:00'], async (ctx) => {
      await changeOrganization(ctx, { tax_param5: 'refuse' })
    }),
    act([13, 25, '12:00'], async (ctx) => {
      await changeOrganization(ctx, { tax_param5: null })
    }),
    paymentOf(momentAfter(since, [15, 8, '16:10']), MAIN, 'pix', '200.00'),
    ...sale(
      since,
      [
        [16, 5, '14:10'],
        [16, 6, '20:00'],
      ],
      TIAGO,
      {
        reference: 'P-1148',
        currency,
        notes: 'Acordo: o que está em aberto em três parcelas.',
        line_items: [
          { product_name: 'Parcelamento do saldo', quantity: 3, unit_price: '330.00', entitlement_class: 'ORD' },
        ],
      },
    ),
    ...tickets.flatMap((told) => ticket(since, told)),
  ]
}

const tickets: readonly TicketOfHistory[] = [
  {
    on: [1, 18, '12:50'],
    by: TIAGO,
    title: 'Frete não calcula para Fernando de Noronha',
    description: 'No carrinho aparece “nenhuma opção de entrega” para o CEP 53990-000.',
    steps: [
      [110, 'sofia', 'Olá, Tiago! A tabela dos Correios não tinha a faixa. Incluí e testei com o CEP que você mandou.'],
      [5, 'resolved', 'Faixa de CEP incluída'],
    ],
    rating: ['good', 'Vendemos para lá no mesmo dia.'],
  },
  {
    on: [5, 7, '19:35'],
    by: TIAGO,
    title: 'Pix aparece como pendente',
    description: 'Três pedidos de hoje foram pagos por Pix e continuam pendentes na loja.',
    priority: 'high',
    steps: [
      [1015, 'sofia', 'Bom dia, Tiago. A confirmação do banco parou às 18h de ontem; já estamos falando com eles.'],
      [1, 'in_progress'],
      [240, 'sofia', 'Voltou. Os três pedidos estão pagos e os clientes foram avisados.'],
      [60, 'customer', 'Certo. Mas perdi a coleta da manhã por causa disso.'],
      [15, 'resolved', 'Confirmações do banco reprocessadas'],
    ],
    rating: ['bad', 'Demorou até o dia seguinte.'],
  },
  {
    on: [9, 13, '13:05'],
    by: TIAGO,
    title: 'Trocar o banner da Bienal',
    description: 'O banner da página inicial deve sair no domingo à noite.',
    priority: 'low',
    steps: [
      [400, 'sofia', 'Agendado para domingo às 23h59.'],
      [3, 'resolved', 'Banner agendado'],
      [6000, 'closed'],
    ],
  },
  {
    on: [12, 16, '14:45'],
    by: TIAGO,
    title: 'Relatório de vendas por editora',
    description: 'Preciso do relatório por editora para o acerto de consignação.',
    steps: [
      [130, 'sofia', 'Tiago, o relatório existe na versão nova da loja. Posso atualizar na quarta à noite?'],
      [1, 'in_progress'],
      [35, 'customer', 'Pode.'],
      [2880, 'resolved', 'Loja atualizada, relatório em Vendas, Por editora'],
    ],
    rating: ['good', 'Resolveu o acerto do mês.'],
  },
  {
    on: [15, 12, '12:25'],
    by: TIAGO,
    title: 'Loja fora do ar',
    description: 'Os clientes veem uma página dizendo que a loja está suspensa. Já fizemos um Pix na semana passada!',
    priority: 'urgent',
    steps: [
      [95, 'sofia', 'Tiago, o Pix de R$ 200,00 entrou, mas as faturas em aberto somam bem mais. Passei para a Flora.'],
      [1, 'waiting'],
    ],
  },
]
