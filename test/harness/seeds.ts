// The seeds of random tests: a few in `npm test`, the others in `npm run test:deep`, which runs each file that imports this.
import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    isDeep: boolean
  }
}

export const seeds = (few: readonly number[], others: readonly number[]): readonly number[] =>
  inject('isDeep') ? others : few
