// For the test of kill -9: a process that accepts a payment, prints it, and is killed before it can send the event.
import { checkoutRequest } from '#test/scenes/checkout-request.ts'
import { pay, paymentSandbox } from '#test/scenes/payment-sandbox.ts'

const world = await paymentSandbox({ retryGapsMs: [60_000], dataDir: process.argv[2] ?? '' })
const { checkoutUrl, reference } = await world.payments.openCheckout(checkoutRequest())
const { status } = await pay(checkoutUrl, 'paid')
process.stdout.write(`${status} ${reference}\n`)
