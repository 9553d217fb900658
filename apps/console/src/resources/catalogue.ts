// What is sold: products with their prices, and the indexes by which prices are adjusted.
import * as api from '@titular/sdk'
import { type Field, type Declaration, textOf } from './resource.ts'
import { COMPANIES } from './shared.ts'

const WRITES = 'catalogue:write'
const CLASSES = ['PLG', 'ENV', 'SVC', 'ORD', 'AFL', 'EDU']

const TAXES: readonly Field[] = [
  { field: 'service_code', first: ({ service_code }) => service_code, clears: true },
  { field: 'nbs_code', first: ({ nbs_code }) => nbs_code, clears: true },
  { field: 'iss_rate', as: 'money', first: ({ iss_rate }) => iss_rate, clears: true },
]

const PRODUCT: readonly Field[] = [
  { field: 'sku', isRequired: true, first: ({ sku }) => sku },
  { field: 'name', isRequired: true, first: ({ name }) => name },
  {
    field: 'entitlement_class',
    isRequired: true,
    chooses: { values: CLASSES },
    first: ({ entitlement_class }) => entitlement_class,
  },
  { field: 'description', as: 'long', first: ({ description }) => description, clears: true },
  { field: 'update_months', as: 'number', first: ({ update_months }) => update_months, clears: true },
  ...TAXES,
]

export const products: Declaration = {
  all: {
    list: api.adminListProducts,
    get: api.adminGetProduct,
    creates: { name: 'adminCreateProduct', operation: api.adminCreateProduct, permission: WRITES, form: PRODUCT },
  },
  titleOf: ({ name }) => textOf(name),
  columns: [
    { field: 'name' },
    { field: 'sku', as: 'code' },
    { field: 'entitlement_class', as: 'value' },
    { field: 'active', as: 'yesNo' },
    {
      field: 'prices',
      of: ({ prices }) =>
        Array.isArray(prices)
          ? prices.map((one: Record<string, unknown>) => `${textOf(one['unit_price'])} ${textOf(one['currency'])}`)
          : [],
    },
  ],
  details: [
    { field: 'description' },
    { field: 'update_months', as: 'number' },
    { field: 'service_code', as: 'code' },
    { field: 'nbs_code', as: 'code' },
    { field: 'iss_rate' },
    { field: 'tax_issue_rule' },
  ],
  filters: [{ field: 'entitlement_class', values: CLASSES }],
  searches: true,
  sorts: ['updated_at'],
  actions: [
    { name: 'adminUpdateProduct', operation: api.adminUpdateProduct, permission: WRITES, form: PRODUCT },
    {
      name: 'endProduct',
      operation: api.adminUpdateProduct,
      permission: WRITES,
      isOffered: ({ active }) => active === true,
      body: { active: false },
      isDangerous: true,
    },
    {
      name: 'sellProduct',
      operation: api.adminUpdateProduct,
      permission: WRITES,
      isOffered: ({ active }) => active === false,
      body: { active: true },
    },
  ],
  sections: [
    {
      name: 'prices',
      list: api.adminListProductPrices,
      columns: [
        { field: 'company', as: 'value' },
        { field: 'unit_price', as: 'money' },
        { field: 'term_months', as: 'number' },
        { field: 'interval', as: 'value' },
        { field: 'tax_percent', as: 'percent' },
        { field: 'active', as: 'yesNo' },
        { field: 'ended_at', as: 'time' },
      ],
      creates: {
        name: 'adminCreateProductPrice',
        operation: api.adminCreateProductPrice,
        permission: WRITES,
        form: [
          { field: 'company', isRequired: true, chooses: COMPANIES },
          { field: 'currency', isRequired: true, first: () => 'BRL' },
          { field: 'unit_price', as: 'money', isRequired: true },
          { field: 'term_months', as: 'number' },
          { field: 'interval', chooses: { values: ['month', 'year'] } },
          { field: 'tax_percent', as: 'money' },
        ],
      },
      actions: [
        {
          name: 'endPrice',
          operation: api.adminUpdateProductPrice,
          reads: api.adminGetProductPrice,
          permission: WRITES,
          isOffered: ({ active }) => active === true,
          at: ({ id }) => ({ price_id: id }),
          body: { active: false },
          isDangerous: true,
        },
      ],
    },
    {
      name: 'features',
      rows: 'features',
      columns: [{ field: 'key', as: 'code' }, { field: 'type' }, { field: 'value' }],
    },
  ],
}

const ofMonth = ({ price_index, month }: Readonly<Record<string, unknown>>) => ({
  id: undefined,
  price_index,
  month,
})

export const priceIndexes: Declaration = {
  all: {
    list: api.adminListPriceIndexes,
    creates: {
      name: 'adminUpdatePriceIndexRates',
      operation: api.adminUpdatePriceIndexRates,
      permission: 'finances:write',
      form: [
        { field: 'price_index', isRequired: true },
        { field: 'rates', as: 'lines', isRequired: true },
      ],
      at: (_none, { price_index }) => ({ price_index }),
      // A line is `2026-10 0,42`.
      shape: ({ rates }) => ({
        rates: (Array.isArray(rates) ? rates : []).map((line) => {
          const [month = '', rate = ''] = textOf(line).split(/[\s;:=]+/)
          return { month, rate: rate.replace(',', '.') }
        }),
      }),
    },
  },
  titleOf: ({ price_index }) => textOf(price_index),
  columns: [{ field: 'price_index', as: 'code' }, { field: 'month', as: 'code' }, { field: 'rate' }],
  rowActions: [
    {
      name: 'adminUpdatePriceIndexRate',
      operation: api.adminUpdatePriceIndexRate,
      reads: api.adminGetPriceIndexRate,
      permission: 'finances:write',
      at: ofMonth,
      form: [{ field: 'rate', as: 'money', isRequired: true, first: ({ rate }) => rate }],
    },
    {
      name: 'adminDeletePriceIndexRate',
      operation: api.adminDeletePriceIndexRate,
      reads: api.adminGetPriceIndexRate,
      permission: 'finances:write',
      at: ofMonth,
      isDangerous: true,
    },
  ],
}
