// What one unit gives, in words.
import { expect, it } from 'vitest'
import { LANGUAGES } from '../language.ts'
import { featuresText } from './features.ts'

it.each(LANGUAGES)('keys that are names of objects in general are words like others, in %s', (language) => {
  for (const key of ['constructor', 'valueOf', '__proto__'])
    expect(featuresText(language, [{ key, value: 'x' }])).toContain(`${key.replaceAll(/_+/g, ' ').trim()}: x`)
})
