// The language for an `Accept-Language` header.

import { describe, expect, it } from 'vitest'
import { languageFrom } from './language.ts'

describe('languageFrom', () => {
  it.each([
    ['en', 'en'],
    ['EN-us', 'en'],
    ['pt-BR,pt;q=0.9,en;q=0.8', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['fr, en;q=0.5, pt;q=0.6', 'pt-BR'],
    ['pt;q=0, en;q=0.1', 'en'],
    ['en;q=0.3, *;q=0.8', 'pt-BR'],
    ['de', 'pt-BR'],
    ['english', 'pt-BR'],
    ['en;q=nonsense', 'pt-BR'],
    [';;;,,,q=', 'pt-BR'],
    ['', 'pt-BR'],
    [undefined, 'pt-BR'],
    [`${'fr,'.repeat(100_000)}en`, 'pt-BR'],
  ])('%j → %s', (header, language) => {
    expect(languageFrom(header, 'pt-BR')).toBe(language)
  })

  it('falls back to the given language', () => {
    expect(languageFrom('de, *;q=0.1', 'en')).toBe('en')
  })
})
