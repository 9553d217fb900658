// A JSON answer of the sandbox tax authority.
import type { Answer } from '../payments/exchange.ts'

export const json = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
})
