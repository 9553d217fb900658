// Time as a bar: states as bands along it, and moments, numbered as in the words below.
import { Group, Stack, Text } from '@mantine/core'
import { useOwnTexts, usePerson } from '../context.tsx'
import type { TimeBar as Declared } from '../resources/section.ts'
import { nameOf, ownTexts, timeIn } from '../texts/texts.ts'
import { colorOf } from './status.tsx'

type TimeBarProps = { bar: Declared; title: string; nameOfMoment?: (name: string) => string }

export function TimeBar({ bar, title, nameOfMoment }: TimeBarProps) {
  const { texts, language } = usePerson()
  const own = useOwnTexts(TEXTS)
  const { bands = [], moments } = bar
  const times = [...moments, ...bands.flatMap(({ from, to }) => [{ at: from }, { at: to }])].map(({ at }) =>
    new Date(at).getTime(),
  )
  const begin = Math.min(...times)
  const length = Math.max(...times) - begin
  if (!(length > 0)) return null
  const placeOf = (time: string): number => ((new Date(time).getTime() - begin) / length) * 100
  const inOrder = moments.toSorted((one, other) => placeOf(one.at) - placeOf(other.at))
  const marks = marksOf(inOrder.map(({ at, isLate }) => ({ place: placeOf(at), isLate: isLate === true })))
  const states = [...new Set(bands.map(({ state }) => state))]
  const momentOf = (name: string): string =>
    name === 'now' ? own.now : (nameOfMoment?.(name) ?? nameOf(texts.fields, name))
  return (
    <Stack gap="xs" component="figure" m={0}>
      <div className="time-bar" role="img" aria-label={title}>
        {bands.map(({ state, from, to }) => (
          <span
            key={`${state} ${from}`}
            className="band"
            title={nameOf(texts.statuses, state)}
            style={{
              left: `${placeOf(from)}%`,
              width: `${placeOf(to) - placeOf(from)}%`,
              background: `var(--mantine-color-${colorOf(state)}-5)`,
            }}
          />
        ))}
        {marks.map(({ place, isLate, first, last }) => (
          <span key={first} className={isLate ? 'moment late' : 'moment'} style={{ left: `${place}%` }}>
            {first === last ? first : `${first}–${last}`}
          </span>
        ))}
      </div>
      {states.length > 0 && (
        <Group gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {states.map((state) => (
            <Group key={state} gap={6} component="li" wrap="nowrap">
              <span aria-hidden className="swatch" style={{ background: `var(--mantine-color-${colorOf(state)}-5)` }} />
              <Text size="sm">{nameOf(texts.statuses, state)}</Text>
            </Group>
          ))}
        </Group>
      )}
      <Group gap="md" component="ol" m={0} p={0} style={{ listStyle: 'none', rowGap: 4 }}>
        {inOrder.map(({ name, at, isLate }, index) => (
          <Text key={name} component="li" size="sm" {...(isLate && { c: 'red', fw: 600 })}>
            {`${index + 1} · ${momentOf(name)}: ${timeIn(language, at)}`}
            {isLate && ` (${own.late})`}
          </Text>
        ))}
      </Group>
    </Stack>
  )
}

type Mark = { place: number; isLate: boolean; first: number; last: number }

/** Nearer ones, in percent, would lie upon each other. */
const NEAR = 5

/** Moments that are near each other have one mark, at the first of them. */
function marksOf(moments: readonly Pick<Mark, 'place' | 'isLate'>[]): readonly Mark[] {
  const marks: Mark[] = []
  for (const [index, { place, isLate }] of moments.entries()) {
    const mark = marks.at(-1)
    if (mark && place - mark.place < NEAR) Object.assign(mark, { last: index + 1, isLate: mark.isLate || isLate })
    else marks.push({ place, isLate, first: index + 1, last: index + 1 })
  }
  return marks
}

const TEXTS = ownTexts({
  en: { now: 'Now', late: 'missed' },
  'pt-BR': { now: 'Agora', late: 'perdido' },
})
