// The rates of price indexes, for staff (docs/interface/delivery.md, Price indexes).
import { Type } from 'typebox'
import { vendor } from '#kernel/values/permissions.ts'
import { route, row } from '#http/route.ts'
import {
  ByIndex,
  ByMonth,
  ManyRates,
  PriceIndexRate,
  RateChange,
  RateFilters,
  rateRules,
  RatesSet,
} from './price-index.ts'
import { priceIndexes } from './queries.ts'
import { removeRate, setRate, setRates } from './set-rates.ts'

export const priceIndexRoutes = [
  route({
    method: 'GET',
    path: '/admin/price-indexes',
    access: vendor('catalogue'),
    purpose: 'List the monthly rates of price indexes.',
    description: 'The latest month first.',
    query: RateFilters,
    page: PriceIndexRate,
    read: (_, { query }) => priceIndexes.page(query),
  }),
  route({
    method: 'PATCH',
    path: '/admin/price-indexes/{price_index}/rates',
    access: vendor('finances'),
    purpose: 'Update the rates of several months of a price index.',
    description:
      'All or none; other months stay as they are. Sent again it changes nothing. Prices that were adjusted ' +
      'already stay.',
    params: ByIndex,
    body: ManyRates,
    rules: rateRules,
    openapi: {
      operationId: 'updatePriceIndexRates',
      example: {
        rates: [
          { month: '2023-11', rate: '0.28' },
          { month: '2023-12', rate: '0.56' },
        ],
      },
    },
    data: RatesSet,
    run: async (ctx, { params, body }) => ({
      data: await setRates(ctx, params.price_index, body.rates),
      message: 'Rates set',
    }),
  }),
  route({
    method: 'GET',
    path: '/admin/price-indexes/{price_index}/rates/{month}',
    access: vendor('catalogue'),
    purpose: 'Get the rate of one month of a price index.',
    description: 'In percent, negative where prices fell. 404 for a month without a rate.',
    params: ByMonth,
    data: PriceIndexRate,
    read: (_, { params }) => row(priceIndexes.ofMonths(params.price_index, [params.month])),
  }),
  route({
    method: 'PUT',
    path: '/admin/price-indexes/{price_index}/rates/{month}',
    access: vendor('finances'),
    purpose: 'Update the rate of one month of a price index.',
    description: 'The first rate creates the index.',
    params: ByMonth,
    body: RateChange,
    openapi: { example: { rate: '-0.08' } },
    data: PriceIndexRate,
    run: async (ctx, { params, body }) => ({
      data: await setRate(ctx, params.price_index, { month: params.month, ...body }),
      message: 'Rate set',
    }),
  }),
  route({
    method: 'DELETE',
    path: '/admin/price-indexes/{price_index}/rates/{month}',
    access: vendor('finances'),
    purpose: 'Delete the rate of a month.',
    description:
      'Prices that were adjusted already stay; an adjustment over this month is 409 until it has a rate again. The ' +
      'platform’s own log keeps the rate. 404 when there is none.',
    params: ByMonth,
    data: Type.Null(),
    run: async (ctx, { params }) => ({
      data: await removeRate(ctx, params.price_index, params.month),
      message: 'Rate removed',
    }),
  }),
]
