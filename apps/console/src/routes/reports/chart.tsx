// Stacked bars as plain SVG. The table below has the same figures, so the picture is one image with a name.
import { Group, Stack, Text } from '@mantine/core'
import { usePerson } from '../../context.tsx'

export type Bar = { at: string; parts: ReadonlyMap<string, number> }

type ChartProps = {
  title: string
  bars: readonly Bar[]
  series: readonly string[]
  nameOf: (series: string) => string
  written: (value: number) => string
}

/** Of a bar with its space, so that what is written keeps its size however many there are. */
const STEP = 72
const LEAST_STEP = 40
const LEAST_WIDTH = 360
const HEIGHT = 260
const LEFT = 8
const BOTTOM = 28
const TOP = 24

const HUES = ['blue', 'teal', 'orange', 'grape', 'red', 'yellow'] as const
const colorOf = (index: number): string => `var(--mantine-color-${HUES[index % HUES.length] ?? 'gray'}-6)`

const sumOf = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0)

export function Chart({ title, bars, series, nameOf, written }: ChartProps) {
  const { language } = usePerson()
  const tops = bars.map(({ parts }) => sumOf([...parts.values()].filter((value) => value > 0)))
  const lows = bars.map(({ parts }) => sumOf([...parts.values()].filter((value) => value < 0)))
  const [high, low] = [Math.max(0, ...tops), Math.min(0, ...lows)]
  const scale = (HEIGHT - TOP - BOTTOM) / (high - low || 1)
  const zero = TOP + high * scale
  const whole = Math.max(LEAST_WIDTH, bars.length * STEP)
  const step = (whole - 2 * LEFT) / Math.max(1, bars.length)
  const width = Math.min(64, step * 0.7)
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
  return (
    <Stack gap="xs">
      <div tabIndex={0} role="group" aria-label={title} style={{ overflowX: 'auto' }}>
        <svg
          viewBox={`0 0 ${whole} ${HEIGHT}`}
          role="img"
          aria-label={title}
          style={{ display: 'block', width: '100%', minWidth: bars.length * LEAST_STEP, maxHeight: 320 }}
        >
          <line x1={0} x2={whole} y1={zero} y2={zero} stroke="currentColor" strokeOpacity={0.4} />
          {bars.map(({ at, parts }, index) => {
            const x = LEFT + index * step + (step - width) / 2
            let [up, down] = [zero, zero]
            return (
              <g key={at}>
                {series.map((one, place) => {
                  const value = parts.get(one) ?? 0
                  const height = Math.abs(value) * scale
                  const y = value < 0 ? down : up - height
                  if (value < 0) down += height
                  else up -= height
                  return value === 0 ? null : (
                    <rect key={one} x={x} y={y} width={width} height={height} fill={colorOf(place)}>
                      <title>{`${at}: ${nameOf(one)} ${written(value)}`}</title>
                    </rect>
                  )
                })}
                <text x={x + width / 2} y={up - 6} textAnchor="middle" fontSize={12} fill="currentColor">
                  {compact.format(sumOf(parts.values()))}
                </text>
                <text x={x + width / 2} y={HEIGHT - 8} textAnchor="middle" fontSize={12} fill="currentColor">
                  {at.length > step / 7 ? `${at.slice(0, Math.max(3, Math.floor(step / 8)))}…` : at}
                </text>
              </g>
            )
          })}
        </svg>
      </div>
      {series.length > 1 && (
        <Group gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {series.map((one, place) =>
            bars.some(({ parts }) => (parts.get(one) ?? 0) !== 0) ? (
              <Group key={one} gap={6} component="li" wrap="nowrap">
                <span aria-hidden style={{ width: 12, height: 12, background: colorOf(place), borderRadius: 2 }} />
                <Text size="sm">{nameOf(one)}</Text>
              </Group>
            ) : null,
          )}
        </Group>
      )}
    </Stack>
  )
}
