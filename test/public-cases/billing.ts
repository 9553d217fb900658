import type { PublicCase } from './public-case.ts'

export const billingCases: PublicCase[] = []
