// Other people's systems and files: one table, one folder of inputs for each case.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addressesCases } from './addresses.ts'
import { billingCases } from './billing.ts'
import { certificatesCases } from './certificates.ts'
import { commerceCases } from './commerce.ts'
import { documentsCases } from './documents.ts'
import { httpCases } from './http.ts'
import { importsCases } from './imports.ts'
import { readerOf } from './public-case.ts'
import { singleSignOnCases } from './single-sign-on.ts'
import { webhooksCases } from './webhooks.ts'

const CASES = [
  ...addressesCases,
  ...billingCases,
  ...certificatesCases,
  ...commerceCases,
  ...documentsCases,
  ...httpCases,
  ...importsCases,
  ...singleSignOnCases,
  ...webhooksCases,
]

describe('public cases', () => {
  it('each folder of inputs has one case', () => {
    const folders = readdirSync(join(import.meta.dirname, 'inputs'))
    expect(CASES.map((one) => one.name).toSorted()).toEqual(folders.toSorted())
  })
  it.each(CASES)('$name: $expected ($standard)', async ({ name, check }) => {
    expect.hasAssertions()
    await check(readerOf(name))
  })
})
