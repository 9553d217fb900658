// What one unit of a line gives, as a sentence of documents and pages.
import { textsIn } from '../catalogue.ts'
import type { Language } from '../language.ts'

export type GivenFeature = { key: string; value: boolean | number | string }

/** `Each unit gives max_users: 1,000; sso: yes`; null without features. */
export function featuresText(language: Language, features: readonly GivenFeature[] = []): string | null {
  const { unitGives, featureOn, featureOff } = textsIn(language).documents.quote
  const shown = (value: GivenFeature['value']): string => {
    if (typeof value === 'boolean') return value ? featureOn : featureOff
    return typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : value
  }
  return features.length === 0
    ? null
    : unitGives(features.map(({ key, value }) => `${key}: ${shown(value)}`).join('; '))
}
