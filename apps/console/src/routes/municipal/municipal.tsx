// What municipalities publish about ISS, beside what is declared: staff see what does not fit, and ask anew.
import { Alert, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import * as api from '@titular/sdk'
import { useQuery } from '@tanstack/react-query'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { Acts } from '../../parts/acts.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Facts } from '../../parts/record.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Section } from '../../parts/section.tsx'
import { type Action, type Column, isItem, type Item, itemsOf, textOf } from '../../resources/resource.ts'
import type { Section as List } from '../../resources/section.ts'
import type { ScreenProps } from '../../screens.ts'
import { ownTexts } from '../../texts/texts.ts'

const TEXTS = ownTexts({
  en: {
    inUse: 'In use today',
    what: 'What the municipality of the fiscal profile publishes. It changes nothing of what is declared.',
    noFindings: 'What is declared fits what is published.',
    services: 'Services',
  },
  'pt-BR': {
    inUse: 'Em uso hoje',
    what: 'O que o município do perfil fiscal publica. Isto não altera o que é declarado.',
    noFindings: 'O que é declarado confere com o que é publicado.',
    services: 'Serviços',
  },
})

const ASK: Action = {
  name: 'askMunicipalParameters',
  operation: api.adminAskMunicipalParameter,
  permission: 'finances:write',
  isMain: true,
}

/** Of what was published. */
const published =
  (field: string) =>
  ({ parameters }: Item): unknown =>
    isItem(parameters) ? parameters[field] : null

const AGREEMENT: readonly Column[] = [
  { field: 'municipality', as: 'code' },
  { field: 'competence', as: 'date' },
  { field: 'outcome', as: 'value', of: published('outcome') },
  { field: 'national_environment', as: 'yesNo', of: published('national_environment') },
  { field: 'national_issuer', as: 'yesNo', of: published('national_issuer') },
  { field: 'asked_at', as: 'time' },
  { field: 'confirmed_at', as: 'time' },
  { field: 'problem' },
]

const SERVICES: readonly Column[] = [
  { field: 'service_code', as: 'code' },
  {
    field: 'used_by',
    of: ({ used_by }) =>
      itemsOf(used_by).map(({ by, iss_rate }) => [textOf(by), textOf(iss_rate)].filter(Boolean).join(': ')),
  },
  { field: 'outcome', as: 'value', of: published('outcome') },
  { field: 'rate', of: published('rate') },
  { field: 'valid_from', as: 'date', of: published('valid_from') },
  { field: 'confirmed_at', as: 'time' },
  { field: 'problem' },
]

const ANSWERS: List = {
  name: 'answers',
  list: api.adminListMunicipalParameters,
  columns: [
    { field: 'answered_at', as: 'time' },
    { field: 'municipality', as: 'code' },
    { field: 'service_code', as: 'code' },
    { field: 'outcome', as: 'value' },
    { field: 'rate' },
    { field: 'message' },
  ],
}

export function Screen({ here }: ScreenProps) {
  const { texts } = usePerson()
  const own = useOwnTexts(TEXTS)
  const { data, error, refetch } = useQuery({
    queryKey: [here.key, 'municipal-parameters', 'in-use'],
    queryFn: () => here.client.call(api.adminGetMunicipalParameterInUse),
  })
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1} size="h2">
          {texts.screens['municipal-parameters']}
        </Title>
        <Acts actions={[ASK]} client={here.client} place={here} scope="finances" record={{}} at={{}} />
      </Group>
      <Text>{own.what}</Text>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton height={240} aria-hidden />}
      {data && (
        <>
          <Title order={2} size="h4">
            {own.inUse}
          </Title>
          {data.findings.length === 0 ? (
            <Text c="dimmed">{own.noFindings}</Text>
          ) : (
            <Alert color="orange">
              {data.findings.map(({ code, service_code, message }) => (
                <Text key={`${code} ${service_code ?? ''}`} size="sm">
                  {service_code} {message}
                </Text>
              ))}
            </Alert>
          )}
          <Facts
            columns={AGREEMENT}
            record={{ municipality: data.municipality, competence: data.competence, ...data.agreement }}
          />
          <Card withBorder component="section">
            <Title order={2} size="h4">
              {own.services}
            </Title>
            <Rows columns={SERVICES} items={data.services} />
          </Card>
        </>
      )}
      <Section section={ANSWERS} here={here} scope="finances" record={{}} at={{}} />
    </Stack>
  )
}
