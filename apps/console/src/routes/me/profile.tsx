// What a person says of themselves.
import { Card, Group, Stack, Text, Title } from '@mantine/core'
import { cancelErasure, createErasure, getErasure, getMe, NotFoundError, updateMe } from '@titular/sdk'
import { useQuery } from '@tanstack/react-query'
import { usePerson } from '../../context.tsx'
import { Acts } from '../../parts/acts.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Facts } from '../../parts/record.tsx'
import type { ScreenProps } from '../../screens.ts'
import { timeIn } from '../../texts/texts.ts'

export function Screen({ here }: ScreenProps) {
  const { texts, language, refresh } = usePerson()
  const { data: read, error } = useQuery({ queryKey: ['me'], queryFn: () => here.client.answer(getMe) })
  const data = read?.data
  // Null: none was asked for.
  const { data: erasure = null } = useQuery({
    queryKey: ['me', 'erasure'],
    queryFn: () =>
      here.client.call(getErasure).catch((failure: unknown) => {
        if (failure instanceof NotFoundError) return null
        throw failure
      }),
  })
  if (error) return <Problem error={error} />
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1} size="h2">
          {texts.screens.profile}
        </Title>
        {data && (
          <Acts
            actions={[
              {
                name: 'updateMe',
                operation: updateMe,
                isMine: true,
                form: [
                  { field: 'name', isRequired: true, first: ({ name }) => name },
                  { field: 'phone', first: ({ phone }) => phone, clears: true },
                  {
                    field: 'language',
                    chooses: { values: ['pt-BR', 'en'] },
                    isRequired: true,
                    first: (record) => record['language'],
                  },
                ],
              },
            ]}
            client={here.client}
            place={here}
            scope=""
            record={data}
            at={{}}
            etag={read?.etag}
            onDone={refresh}
          />
        )}
      </Group>
      {data && (
        <Card p={0}>
          <Facts
            columns={[{ field: 'name' }, { field: 'email' }, { field: 'phone' }, { field: 'language', as: 'value' }]}
            record={data}
          />
        </Card>
      )}
      <Group>
        <Acts
          actions={[
            {
              name: 'createOwnErasure',
              operation: createErasure,
              isMine: true,
              isDangerous: true,
              isOffered: ({ status }) => status !== 'scheduled',
            },
            {
              name: 'cancelOwnErasure',
              operation: cancelErasure,
              isMine: true,
              isOffered: ({ status }) => status === 'scheduled',
            },
          ]}
          client={here.client}
          place={here}
          scope=""
          record={erasure ?? {}}
          at={{}}
        />
        {erasure?.status === 'scheduled' && (
          <Text c="red">
            {texts.actions.createOwnErasure}: {timeIn(language, erasure.due_at)}
          </Text>
        )}
      </Group>
    </Stack>
  )
}
