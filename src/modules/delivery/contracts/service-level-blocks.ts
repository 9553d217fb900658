// The part of a contract's document that says what is promised, and in which hours.
import { DAYS } from '#modules/delivery/business-hours/business-hours.ts'
import type { Block, Fact } from '#ports/documents.ts'
import { textsIn } from '#texts/catalogue.ts'
import { durationInHours } from '#texts/documents/content.ts'
import { formatDate } from '#texts/format.ts'
import type { Language } from '#texts/language.ts'
import type { Contract } from './contract.ts'

const PRIORITIES = ['urgent', 'high', 'normal', 'low'] as const

export function serviceLevelBlocks(contract: Contract, language: Language): Block[] {
  const { duration, contract: words } = textsIn(language).documents
  const { sla_first_response_minutes: first, sla_resolution_minutes: resolution, business_hours: hours } = contract
  // A day of business hours has no 24 of them.
  const written = hours === null ? duration : durationInHours
  const rows = PRIORITIES.flatMap((priority) => {
    const promised = [first?.[priority] ?? null, resolution?.[priority] ?? null]
    if (promised.every((minutes) => minutes === null)) return []
    return [
      [words.priorities[priority], ...promised.map((minutes) => (minutes === null ? words.nothing : written(minutes)))],
    ]
  })
  if (rows.length === 0) return []
  const columns = [
    { label: words.priority, share: 0.4, align: 'left' as const },
    { label: words.firstResponse, share: 0.3, align: 'right' as const },
    { label: words.resolution, share: 0.3, align: 'right' as const },
  ]
  return [
    { kind: 'heading', text: words.serviceLevel },
    { kind: 'table', columns, rows, totals: [] },
    ...hoursOf(hours, language),
  ]
}

function hoursOf(hours: Contract['business_hours'], language: Language): Block[] {
  if (hours === null) return []
  const { contract: words } = textsIn(language).documents
  const { time_zone, weekly, holidays } = hours
  const days = DAYS.flatMap((day): Fact[] => {
    const openings = (weekly[day] ?? []).map(({ from, to }) => `${from}–${to}`)
    return openings.length === 0 ? [] : [{ label: words.days[day], value: openings.join(', ') }]
  })
  const closed = holidays?.map((day) => formatDate(language, day)).join('; ')
  const facts = [
    ...days,
    { label: words.timeZone, value: time_zone },
    { label: words.holidays, value: closed === undefined ? words.holidaysOfVendor : closed || words.nothing },
  ]
  return [
    { kind: 'heading', text: words.businessHours },
    { kind: 'facts', facts },
  ]
}
