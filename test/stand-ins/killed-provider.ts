// For the test of kill -9: a process that takes a payment, says so, and is killed before it can send the event.
import { checkoutRequest, localWorld, pay } from '../../src/adapters/sandbox/payments/local-world.ts'

const world = await localWorld({ retryGapsMs: [60_000], dataDir: process.argv[2] ?? '' })
const { checkoutUrl, reference } = await world.payments.openCheckout(checkoutRequest())
const { status } = await pay(checkoutUrl, 'paid')
process.stdout.write(`${status} ${reference}\n`)
