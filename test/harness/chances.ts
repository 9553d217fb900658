// Random numbers that are the same for the same seed.

const MODULUS = 2_147_483_647

function states(seed: number): () => number {
  let state = (seed * 123_456_789) % MODULUS
  return () => (state = (state * 48_271) % MODULUS)
}

/** A generator of numbers from 0 to 1. */
export function chances(seed: number): () => number {
  const next = states(seed)
  return () => next() / MODULUS
}

/** A generator of whole numbers below a limit. */
export type Die = (below: number) => number
export function dieOf(seed: number): Die {
  const next = states(seed)
  return (below) => next() % below
}
