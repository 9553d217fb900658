import type { PublicCase } from './public-case.ts'

export const importsCases: PublicCase[] = []
