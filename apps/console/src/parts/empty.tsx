// A list without records: what would be here, and where to begin.
import { Button, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useOwnTexts, usePerson } from '../context.tsx'
import type { Here } from '../place.ts'
import type { Resource } from '../resources/resource.ts'
import { kindByName } from '../resources/directory.ts'
import { BEGINNINGS, emptyTexts } from '../texts/empty.ts'

export function Empty({ resource, here, isMade }: { resource: Resource; here: Here; isMade: boolean }) {
  const { texts, mayIn } = usePerson()
  const own = useOwnTexts(emptyTexts)
  const beginning = BEGINNINGS[resource.name]
  const begins = beginning === undefined ? undefined : kindByName(beginning)
  return (
    <Stack align="flex-start">
      <Text c="dimmed">{own[resource.name] ?? texts.list.empty}</Text>
      {!isMade && begins?.places[here.place] && mayIn(here, begins.scope, 'read') && (
        <Button variant="default" component={Link} to={`${here.path}/${begins.name}`}>
          {texts.resources[begins.name]} →
        </Button>
      )}
    </Stack>
  )
}
