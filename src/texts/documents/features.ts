// What one unit of a line gives, as a sentence of documents and pages.
import { textsIn } from '../catalogue.ts'
import type { Language } from '../language.ts'
import type { FeatureTexts } from './content.ts'

export type GivenFeature = { key: string; value: boolean | number | string }

/** Abbreviations that keys write in small letters. */
const ABBREVIATIONS =
  /\b(?:api|cpu|crm|dns|erp|html|id|ip|ldap|lms|lti|mfa|pdf|ram|saml|scorm|sla|sms|sql|ssd|sso|ssl|url|vpn|xml)\b/g
const UNIT = / (kb|mb|gb|tb)$/

/** `Each unit includes up to 1,000 users; SSO; no beta; region: São Paulo`; null without features. */
export function featuresText(language: Language, features: readonly GivenFeature[] = []): string | null {
  const { unitGives, features: texts } = textsIn(language).documents.quote
  return features.length === 0 ? null : unitGives(features.map((one) => phrase(language, texts, one)).join('; '))
}

/** `max_users`, `min_users`, `storage_gb` and what is counted in the plural read as a phrase; all else is named. */
function phrase(language: Language, texts: FeatureTexts, { key, value }: GivenFeature): string {
  const words = key.replaceAll(/[_\-.]+/g, ' ').trim()
  const known = new Map(Object.entries(texts.words))
  const named = (text: string) => known.get(text) ?? text.replaceAll(ABBREVIATIONS, (one) => one.toUpperCase())
  if (typeof value === 'boolean') return value ? named(words) : texts.without(named(words))
  if (typeof value === 'string') return `${named(words)}: ${value}`
  const [, bound, counted = words] = /^(max|min) (.+)$/.exec(words) ?? []
  const unit = UNIT.exec(counted)?.[1]?.toUpperCase()
  const what = named(counted.replace(UNIT, ''))
  const number = new Intl.NumberFormat(language).format(value)
  const amount = unit === undefined ? `${number} ${what}` : texts.of(`${number} ${unit}`, what)
  if (bound !== undefined) return bound === 'max' ? texts.most(amount) : texts.least(amount)
  return unit === undefined && !counted.endsWith('s') ? `${what}: ${number}` : amount
}
