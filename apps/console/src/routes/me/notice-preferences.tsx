// Which notices a person gets, by mail and here; some come whatever they say.
import { Checkbox, Stack, Table, Text, Title } from '@mantine/core'
import { type AnyOperation, listNoticePreferences, updateNoticePreferences } from '@titular/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { Problem } from '../../parts/problem.tsx'
import { hereIn } from '../../place.ts'
import { ownTexts } from '../../texts/texts.ts'

/** Takes whatever kind the list has. */
const UPDATE: AnyOperation = updateNoticePreferences

const TEXTS = ownTexts({
  en: {
    lead: 'What you are told of in {organization}.',
    kind: 'Notice',
    mail: 'By mail',
    inbox: 'Here',
    mandatory: 'Always comes',
    none: 'You are in no organization yet.',
  },
  'pt-BR': {
    lead: 'Sobre o que você recebe avisos em {organization}.',
    kind: 'Aviso',
    mail: 'Por e-mail',
    inbox: 'Aqui',
    mandatory: 'Sempre chega',
    none: 'Você ainda não está em nenhuma organização.',
  },
})

export function Screen() {
  const { user, texts } = usePerson()
  const own = useOwnTexts(TEXTS)
  return (
    <Stack>
      <Title order={1} size="h2">
        {texts.screens['notice-preferences']}
      </Title>
      {user.organizations.length === 0 && <Text>{own.none}</Text>}
      {user.organizations.slice(0, 3).map(({ id, name }) => (
        <Preferences key={id} organization={id} name={name} />
      ))}
    </Stack>
  )
}

function Preferences({ organization, name }: { organization: number; name: string }) {
  const { language } = usePerson()
  const own = useOwnTexts(TEXTS)
  const queries = useQueryClient()
  const key = [String(organization), 'notice-preferences']
  const { client } = hereIn(organization, language)
  const { data, error } = useQuery({ queryKey: key, queryFn: () => client.call(listNoticePreferences) })
  const change = useMutation({
    mutationFn: (one: { kind: string; mail: boolean; inbox: boolean }) =>
      client.call(UPDATE, { body: { preferences: [one] } }),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  })
  const failure = error ?? change.error
  return (
    <Stack component="section" gap="xs">
      <Title order={2} size="h4">
        {own.lead.replace('{organization}', name)}
      </Title>
      {failure && <Problem error={failure} />}
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{own.kind}</Table.Th>
            <Table.Th>{own.mail}</Table.Th>
            <Table.Th>{own.inbox}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data?.preferences.map(({ kind, name: label, mandatory, mail, inbox }) => (
            <Table.Tr key={kind}>
              <Table.Td>
                {label}
                {mandatory && (
                  <Text size="xs" c="dimmed">
                    {own.mandatory}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Checkbox
                  aria-label={`${label}: ${own.mail}`}
                  checked={mail}
                  disabled={mandatory}
                  onChange={() => change.mutate({ kind, mail: !mail, inbox })}
                />
              </Table.Td>
              <Table.Td>
                <Checkbox
                  aria-label={`${label}: ${own.inbox}`}
                  checked={inbox}
                  disabled={mandatory}
                  onChange={() => change.mutate({ kind, mail, inbox: !inbox })}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  )
}
