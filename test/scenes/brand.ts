// Brands for tests that need none in particular.
import type { Brand } from '#texts/brand.ts'

export const brandNamed = (name: string): Brand => ({ name, color: '#1f5fd0', supportUrl: null, logo: null })

/** One pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
export const SVG =
  '<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><title>Acme</title>' +
  '<defs><linearGradient id="a"><stop offset="0" stop-color="#0a7"/></linearGradient></defs>' +
  '<style>.b{fill:url(#a)}</style><rect class="b" width="120" height="40" rx="8"/></svg>'
