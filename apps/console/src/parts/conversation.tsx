// The comments of a record, and a field for the next one.
import { Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { usePerson } from '../context.tsx'
import type { Here } from '../place.ts'
import { itemsOf, type Resource, textOf } from '../resources/resource.ts'
import { timeIn } from '../texts/texts.ts'
import { Answer } from './answer.tsx'
import { useNamesOfActs } from './act-names.ts'
import { Problem } from './problem.tsx'

type ConversationProps = { of: NonNullable<Resource['conversation']>; here: Here; id: number }

export function Conversation({ of, here, id }: ConversationProps) {
  const { texts, language } = usePerson()
  const { client } = here
  const key = [here.key, of.list.id, id]
  const { changerOf } = useNamesOfActs()
  const { data, error: unread } = useQuery({
    queryKey: key,
    queryFn: async () => itemsOf(await client.call(of.list, { id, per_page: 100 })),
  })
  return (
    <Card withBorder>
      <Stack>
        <Title order={2} size="h4">
          {texts.record.comments}
        </Title>
        {unread && <Problem error={unread} />}
        {data?.map((comment) => (
          <Stack
            key={textOf(comment['id'])}
            gap={2}
            {...(comment['internal'] === true && {
              p: 'xs',
              bg: 'var(--mantine-color-yellow-light)',
              style: { borderRadius: 'var(--mantine-radius-sm)' },
            })}
          >
            <Group gap="xs">
              <Text fw={600}>
                {changerOf({ changed_by: comment['author_id'], changed_by_name: textOf(comment['author_name']) })}
              </Text>
              <Text size="sm" c="dimmed">
                {timeIn(language, textOf(comment['created_at']))}
                {comment['internal'] === true && ` · ${texts.record.internal}`}
              </Text>
            </Group>
            <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{textOf(comment['body'])}</Text>
          </Stack>
        ))}
        <Answer add={of.add} canned={of.canned} here={here} id={id} />
      </Stack>
    </Card>
  )
}
