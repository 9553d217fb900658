// No input causes a 5xx: every hostile value in each field of each route.
import fc from 'fast-check'
import { sendHostileInput, TEXTS } from '#test/sweeps/hostile-input.ts'
import { hostileText } from '#test/sweeps/hostile-strings.ts'

sendHostileInput({ texts: [...TEXTS, ...fc.sample(hostileText(200), { numRuns: 2, seed: 1 }), null], most: Infinity })
