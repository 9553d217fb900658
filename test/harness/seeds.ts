// What only `npm run test:deep` runs, which takes each file that imports this: most seeds of random tests, most values of what is
// tried one by one.
import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    isDeep: boolean
  }
}

export const isDeep: boolean = inject('isDeep')

export const seeds = (few: readonly number[], others: readonly number[]): readonly number[] => (isDeep ? others : few)

/** All of them, or as many in `npm test`. */
export const some = <Value>(values: readonly Value[], few: number): readonly Value[] =>
  isDeep ? values : values.slice(0, few)
