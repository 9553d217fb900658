// The catalogue of the vendor: what is sold, for customers; all of it with its prices, for administrators.
import { featureRules } from '#modules/delivery/entitlements/feature.ts'
import { vendor, org } from '#kernel/values/permissions.ts'
import { givenOrIntegration } from '#http/integration-route.ts'
import { route } from '#http/route.ts'
import { ById, Closed, Id } from '#kernel/values/schema.ts'
import { addPrice, addProduct, changePrice, changeProduct } from './change-product.ts'
import {
  NewPrice,
  NewProduct,
  OfferedProduct,
  OfferedProductFilters,
  Price,
  PriceChange,
  PriceFilters,
  priceRules,
  Product,
  ProductChange,
  ProductFilters,
} from './product.ts'
import { products } from './queries.ts'

const ByPrice = Closed({ id: Id, price_id: Id })

export const productRoutes = [
  route({
    method: 'GET',
    path: '/products',
    access: org('quotes'),
    purpose: 'List the products that are sold.',
    description: 'What can be requested in a quote, which has the prices.',
    query: OfferedProductFilters,
    page: OfferedProduct,
    read: (_, { query }) => products.offered(query),
  }),
  route({
    method: 'GET',
    path: '/admin/products',
    access: vendor('catalogue'),
    purpose: 'List the products of the catalogue.',
    description:
      'Newest first, each with the prices in force, those that are not sold any more (`active` false) too. What ' +
      'customers see is at `GET /products`.',
    query: ProductFilters,
    page: Product,
    read: (_, { query }) => products.page(query),
  }),
  route({
    method: 'POST',
    path: '/admin/products',
    access: vendor('catalogue'),
    purpose: 'Create a product.',
    description:
      'It has no price yet (`POST /admin/products/{id}/prices`): until then lines of quotes that name it give their ' +
      'own. It is never deleted, only made inactive. 409 when another product has the SKU, in small or capital ' +
      'letters.',
    body: NewProduct,
    rules: featureRules,
    openapi: {
      example: {
        sku: 'BACKUP-PRO',
        name: 'Backup Pro',
        entitlement_class: 'PLG',
        features: [{ key: 'cloud_storage', type: 'boolean', value: true }],
      },
    },
    data: Product,
    status: 201,
    fails: ['external_id_taken', 'sku_taken'],
    run: async (ctx, { body }) => ({ data: await addProduct(ctx, body), message: 'Product added' }),
  }),
  route({
    method: 'GET',
    path: '/admin/products/{id}',
    access: vendor('catalogue'),
    purpose: 'Get a product with its current prices.',
    description: 'Prices that have ended are at `GET /admin/products/{id}/prices`.',
    params: ById,
    data: Product,
    read: (_, { params }) => products.byId(params.id),
  }),
  route({
    method: 'PATCH',
    path: '/admin/products/{id}',
    access: vendor('catalogue'),
    purpose: 'Update a product.',
    description: 'Only the given fields change. Existing quotes stay as they are.',
    params: ById,
    body: ProductChange,
    rules: featureRules,
    openapi: { example: { active: false } },
    data: Product,
    fails: ['external_id_taken', 'sku_taken'],
    run: async (ctx, { params, body }) => ({
      data: await changeProduct(ctx, params.id, body),
      message: 'Product updated',
    }),
  }),
  route({
    method: 'GET',
    path: '/admin/products/{id}/prices',
    access: vendor('catalogue'),
    purpose: 'List the prices of a product, current and ended.',
    description:
      'Newest first. At most one is in force for each legal entity and currency; the others have an `ended_at`.',
    params: ById,
    query: PriceFilters,
    page: Price,
    read: (_, { params, query }) => products.pricesOf(params.id, query),
  }),
  route({
    method: 'POST',
    path: '/admin/products/{id}/prices',
    access: vendor('catalogue'),
    purpose: 'Create a price, which replaces the current one.',
    description: 'The current price of the same company and currency ends.',
    params: ById,
    body: NewPrice,
    rules: priceRules,
    openapi: { example: { company: 'entity_br', currency: 'BRL', unit_price: '150.00', term_months: 12 } },
    data: Price,
    status: 201,
    fails: ['external_id_taken'],
    run: async (ctx, { params, body }) => ({ data: await addPrice(ctx, params.id, body), message: 'Price added' }),
  }),
  route({
    method: 'GET',
    path: '/admin/products/{id}/prices/{price_id}',
    access: vendor('catalogue'),
    purpose: 'Get a price.',
    description: 'Its amount never changes; `ended_at` is when it was ended, by hand or by the next price.',
    params: ByPrice,
    data: Price,
    read: (_, { params }) => products.price(params.id, params.price_id),
  }),
  route({
    method: 'PATCH',
    path: '/admin/products/{id}/prices/{price_id}',
    access: vendor('catalogue'),
    purpose: 'Update a price: its end, its external id and metadata.',
    description:
      '`active: false` ends it at once, for good; a new price is another record. Quotes, orders and subscriptions ' +
      'keep the amounts that they have. 409 when it has ended already.',
    params: ByPrice,
    body: PriceChange,
    rules: givenOrIntegration('active'),
    openapi: { example: { active: false } },
    data: Price,
    fails: ['external_id_taken', 'price_ended'],
    run: async (ctx, { params, body }) => ({
      data: await changePrice(ctx, { productId: params.id, id: params.price_id }, body),
      message: body.active === undefined ? 'Price updated' : 'Price ended',
    }),
  }),
]
